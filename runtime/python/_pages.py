"""Pages of lists."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from inspect import iscoroutinefunction, unwrap
from typing import Any, ParamSpec, TypeVar, overload
from urllib.parse import parse_qs

from ._values import Model, ModelT, change, is_dict
from ._wire import iterate, settle
from .rpc_errors import TransportError

GivenP = ParamSpec("GivenP")
CallT = TypeVar("CallT", bound=Callable[..., Any])


@dataclass(frozen=True)
class Paging:
    """How a method returns pages. Fields have their names in Python."""

    asked: str
    """The field of the request that identifies a page."""
    answered: str
    """The field of the response with the next token, the number or the links."""
    holder: tuple[str, type[Model]] | None = None
    """The field of the request whose struct contains `asked`."""
    numbered: tuple[str, str] | None = None
    """The number of the page, and whether there are more, in the struct that is both `asked` and `answered`."""
    linked: tuple[str, bool] | None = None
    """The parameter of links to the next page, and whether it is a number."""

    def __call__(self, call: CallT) -> CallT:
        """Marks a method that returns pages."""
        vars(call)["_paging"] = self
        return call

    def page_of(self, request: Any) -> Any:
        """Returns the page that a request asks for, or None for the first one."""
        return _get(request if self.holder is None else _get(request, self.holder[0]), self.asked)

    def at(self, request: Any, page: Any) -> Any:
        """Returns the request for a page."""
        if self.holder is None:
            return change(request, self.asked, page)
        name, model = self.holder
        return change(request, name, change(_get(request, name) or model(), self.asked, page))

    def next(self, response: Model, asked: Any) -> Any:
        """Returns the page after a response, or None. Errors: TransportError if a link cannot be read."""
        answered = _get(response, self.answered)
        if self.linked is not None:
            return _next_in_links(answered or "", *self.linked)
        if self.numbered is None:
            return answered or None
        number, more = self.numbered
        if not _get(answered, more):
            return None
        # A program can also give the struct as a dict.
        given = asked if is_dict(asked) else getattr(asked, "model_fields_set", ())
        own = {name: _get(asked, name) for name in given}
        known = [each for each in (_get(answered, number), _get(asked, number)) if each is not None]
        return answered.model_copy(update={**own, number: (known or [1])[0] + 1})

    def key(self, page: Any) -> Any:
        """Returns the token or number of a page."""
        return page if self.numbered is None else _get(page, self.numbered[0])


def _get(holder: Any, name: str) -> Any:
    return holder.get(name) if is_dict(holder) else getattr(holder, name, None)


def _next_in_links(links: str, parameter: str, is_number: bool) -> str | int | None:
    """Finds the link to the next page (RFC 8288, section 3)."""
    for address, rest in re.findall("<([^<>]*)>([^<]*)", links):
        found = re.search(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,]+))", rest, re.IGNORECASE)
        if found and "next" in (found[1] or found[2] or "").lower().split(" "):
            query = re.search(r"\?([^#]*)", address)
            (text, *_) = parse_qs(query[1] if query else "", keep_blank_values=True).get(parameter, [None])
            if text is None or (is_number and re.fullmatch("[0-9]{1,15}", text) is None):
                raise TransportError("bad-response", f"the link to the next page has no valid {parameter}", 200)
            return int(text) if is_number else text
    return None


@overload
def pages(
    call: Callable[GivenP, Awaitable[ModelT]], /, *args: GivenP.args, **kwargs: GivenP.kwargs
) -> AsyncIterator[ModelT]: ...
@overload
def pages(call: Callable[GivenP, ModelT], /, *args: GivenP.args, **kwargs: GivenP.kwargs) -> Iterator[ModelT]: ...
def pages(call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Calls a method of a client for one page after the other, each when the loop asks for it.

    Example: `for page in pages(client.shop.list_titles, word="d")`. Errors: those of the method; a TransportError if the
    server refers to a page that was already read; a TypeError if the method returns no pages.
    """
    paging = getattr(call, "_paging", None)
    if not isinstance(paging, Paging):
        raise TypeError("the method returns no pages")
    found = _pages(call, paging, args[0] if args else kwargs)
    return found if iscoroutinefunction(unwrap(call)) else iterate(found)


async def _pages(call: Callable[..., Any], paging: Paging, request: Any) -> AsyncGenerator[Any, None]:
    page, read = paging.page_of(request), set[Any]()
    while True:
        read.add(paging.key(page))
        response = await settle(call(**request) if is_dict(request) else call(request))
        yield response
        page = paging.next(response, page)
        if page is None:
            return
        if paging.key(page) in read:
            raise TransportError("bad-response", "the next page was already read", 200)
        request = paging.at(request, page)
