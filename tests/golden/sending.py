"""One request in one of the forms of bodies, and what answers it in plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import httpx

from tests.golden.forms import FORMS, Form, Tree

PROBLEM = "application/problem+json"

Send: TypeAlias = Callable[[str, str, bytes, Mapping[str, str]], httpx.Response]


class Refused(Exception):
    """The service refused a request: the slug of the problem's type, and its detail."""

    def __init__(self, status: int, problem: Mapping[str, object]) -> None:
        self.slug = str(problem.get("type", "")).rstrip("/").rpartition("/")[2]
        super().__init__(f"{status} {self.slug}: {problem.get('detail', '')}")


class Sending:
    """Sends bodies in a form; what the form cannot say goes out as JSON.

    Parameters
    ----------
    send : callable
        Sends one request, ``send(verb, path, content, headers)``, and returns its response.
    form : str
        One of `FORMS`.

    Attributes
    ----------
    in_form, in_json : int
        How many bodies went out in the form, and how many could only as JSON.
    """

    def __init__(self, send: Send, form: str) -> None:
        self._send = send
        self.form = FORMS[form]
        self.in_form, self.in_json = 0, 0

    def look(self, verb: str, path: str) -> Tree:
        """Return the answer to a request without a body."""
        return self._read(self._send(verb, path, b"", {"accept": self._whole.media_type}))

    def tell(self, verb: str, path: str, body: Tree) -> Tree:
        """Return the answer to a body."""
        encoded = self.form.encode(body)
        if encoded is None:
            self.in_json += 1
            return self._ask(verb, path, body, FORMS["json"], self._whole)
        self.in_form += 1
        answer = self._ask(verb, path, body, self.form, self._whole)
        if self.form.one_array and len(_output(answer)) == 1:
            (name,) = _output(answer)
            alone = self._ask(verb, path, body, self.form, self.form)
            answer["output"] = {name: _output(alone)[""]}
        return answer

    @property
    def _whole(self) -> Form:
        """The form of an envelope."""
        return FORMS["json"] if self.form.one_array else self.form

    def _ask(self, verb: str, path: str, body: Tree, sent: Form, accepted: Form) -> Tree:
        query, content = sent.encode(body) or ("", b"")
        headers = {"content-type": sent.media_type, "accept": accepted.media_type}
        response = self._send(verb, f"{path}?{query}" if query else path, content, headers)
        fields = body.get("input")
        return self._read(response, flat=isinstance(fields, dict) and "offsets" in fields)

    def _read(self, response: httpx.Response, *, flat: bool = False) -> Tree:
        asked = f"{response.request.method} {response.request.url.path}"
        if response.status_code >= 500:
            raise AssertionError(f"{asked} answered {response.status_code}")
        media_type = response.headers["content-type"].split(";")[0]
        if not response.is_success:
            if media_type != PROBLEM:
                raise AssertionError(f"{asked}: an error that is no {PROBLEM}")
            raise Refused(response.status_code, response.json())
        known = {form.media_type: form for form in FORMS.values()}
        answer = known[media_type].decode(response.content, flat)
        if not isinstance(answer, dict):
            raise AssertionError(f"{asked} answered no object")
        return answer


def _output(answer: Tree) -> Tree:
    output = answer.get("output")
    return output if isinstance(output, dict) else {}
