"""What type checkers and editors know of the package: ``normalizers/__init__.pyi``, made.

``python -m stubs`` makes it anew.
"""
