"""What the person who called can repair: what is wrong, where, and the remedy."""

from __future__ import annotations


class Misuse(Exception):
    """A call that cannot be carried out as it stands.

    Parameters
    ----------
    message : str
        What is wrong, where and what would be right.
    """

    def __init__(self, message: str) -> None:
        # Inside: the library takes a while to load, and `normd --help` needs none of it.
        from normalizers.errors import printable

        self.message = printable(message)
        super().__init__(self.message)


class BadFile(Misuse):
    """A file that cannot be read as it stands.

    Parameters
    ----------
    file : str
        Its name, or ``standard input``.
    message : str
        What is wrong and what would be right.
    place : str
        Where in the file: ``line 7, column 'score'``.
    """

    def __init__(self, file: str, message: str, *, place: str = "") -> None:
        super().__init__(": ".join(part for part in (file, place, message) if part))
