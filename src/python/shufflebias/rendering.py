# SPDX-License-Identifier: GPL-3.0-or-later
"""A result of the library in any of its formats."""
from __future__ import annotations

import ctypes
from typing import Any, Optional

from .errors import ShufflebiasError
from .library import library
from .request import Handle


def rendered(handle: Handle, format: str, **look: str) -> str:
    length = ctypes.c_size_t()
    for name, value in look.items():
        library().sb_look(handle, name.encode(), value.encode())
    address = library().sb_text(handle, format.encode(), length)
    if not address:
        raise ShufflebiasError(library().sb_result_error(handle).decode(errors="replace"))
    return ctypes.string_at(address, length.value).decode(errors="replace")


class Rendered:
    """The base of the results, which remember where the library keeps them."""
    _handle: Optional[Handle] = None

    def render(self, format: str = "text", *, figure: Optional[str] = None, unicode: bool = True, colour: bool = False) -> str:
        """The result as "text", "markdown", "json", "html", "svg" or another format of docs/formats.md. A gate also has "junit"
        and "tap", a report also "csv", "junit" and "tap", and a law also "csv". `figure` names the figure of "svg"; `unicode` and
        `colour` say how "text" looks."""
        if self._handle is None:
            raise ValueError("this result is a copy: render the one that the call returned")
        return rendered(self._handle, format, unicode=str(int(unicode)), colour=str(int(colour)), figure=figure or "")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_handle"}  # a copy has no handle

    def _keep(self, handle: Handle) -> None:
        object.__setattr__(self, "_handle", handle)  # also of a frozen dataclass
