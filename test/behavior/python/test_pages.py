"""Tests how clients read pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from pages import AsyncShopClient, ShopClient, TransportError, pages
from pages.types import Order, OrdersRequest, Page, Part

Given = tuple[Any, Mapping[str, str]]


def server(*given: Any) -> tuple[httpx.MockTransport, list[Any]]:
    """Returns a server that gives one page after the other, and the requests that it got."""
    asked: list[Any] = []

    def respond(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content) if request.content else str(request.url.query, "ascii"))
        body, headers = given[len(asked) - 1] if isinstance(given[len(asked) - 1], tuple) else (given[len(asked) - 1], {})
        return httpx.Response(200, json=body, headers=headers)

    return httpx.MockTransport(respond), asked


def shop(*given: Any) -> tuple[Any, list[Any]]:
    transport, asked = server(*given)
    return ShopClient("http://host", http=httpx.Client(transport=transport)).shop, asked


def test_tokens() -> None:
    client, asked = shop({"notes": ["a"], "nextCursor": "2"}, {"notes": ["b"], "nextCursor": ""})
    found = pages(client.list_notes, owner="me")
    assert asked == []
    assert [note for page in found for note in page.notes] == ["a", "b"]
    assert asked == [{"owner": "me"}, {"owner": "me", "cursor": "2"}]


def test_leaving_the_loop_ends_the_calls() -> None:
    client, asked = shop({"notes": ["a"], "nextCursor": "2"})
    for _ in pages(client.list_notes, owner="me", cursor="1"):
        break
    assert asked == [{"owner": "me", "cursor": "1"}]


def test_numbers() -> None:
    more = {"orders": [{"id": 1}], "page": {"page": 1, "pageSize": 7, "more": True}}
    client, asked = shop(more, {"orders": [], "page": {"page": 2, "more": True}}, {"orders": [], "page": {"more": False}})
    first = pages(client.list_orders, owner="me")
    assert [page.orders for page in first] == [[Order(id=1)], [], []]
    assert asked == [
        {"owner": "me"},
        {"owner": "me", "page": {"page": 2, "pageSize": 7, "more": True}},
        {"owner": "me", "page": {"page": 3, "pageSize": 7, "more": True}},
    ]
    client, asked = shop({"orders": [], "page": {"more": True}}, {"orders": [], "page": {}})
    assert len(list(pages(client.list_orders, page=Page(page=0, page_size=3)))) == 2
    assert asked[1] == {"page": {"page": 1, "pageSize": 3, "more": True}}


def test_numbers_in_dicts() -> None:
    more = {"orders": [], "page": {"page": 1, "more": True}}
    client, asked = shop(more, {"orders": [], "page": {"page": 2, "more": True}}, {"orders": [], "page": {}})
    assert len(list(pages(client.list_orders, page={"page": 1, "page_size": 3}))) == 3
    assert [each["page"].get("page") for each in asked] == [1, 2, 3]
    assert [each["page"].get("pageSize") for each in asked] == [3, 3, 3]


def test_tokens_in_structs() -> None:
    client, asked = shop({"orders": [], "next": "b"}, {"orders": []})
    part = Part(size=2)
    assert len(list(pages(client.list_parts, part=part))) == 2
    assert asked == [{"part": {"size": 2}}, {"part": {"size": 2, "after": "b"}}]
    # The request of the caller is its own.
    assert part.after is None
    client, asked = shop({"orders": [], "next": "b"}, {"orders": []})
    assert len(list(pages(client.list_parts, part={"size": 2}))) == 2
    assert asked == [{"part": {"size": 2}}, {"part": {"size": 2, "after": "b"}}]
    client, asked = shop({"all-orders": [], "next-cursor": "b"}, {"all-orders": []})
    assert len(list(pages(client.list_all, OrdersRequest()))) == 2
    assert asked == [{}, {"cursor": "b"}]


def link(text: str) -> Given:
    return [], {"link": text}


def test_links() -> None:
    last = link('<http://host/numbered?page=1>; rel="prev"')
    client, asked = shop(link('<http://host/numbered?page=1>; rel="prev", </numbered?page=7&a=b>; rel="last next"'), last)
    assert len(list(pages(client.list_numbered, per_page=9))) == 2
    assert asked == ["per_page=9", "page=7&per_page=9"]
    client, asked = shop(link("</linked?after=a%20b+c#d>;rel=NEXT"), link(""))
    assert len(list(pages(client.list_linked))) == 2
    assert asked == ["", "after=a%20b%20c"]


@pytest.mark.parametrize("address", ["/numbered", "/numbered?page=", "/numbered?page=x", "/numbered?page=-1"])
def test_links_without_a_page(address: str) -> None:
    client, _ = shop(link(f"<{address}>; rel=next"))
    with pytest.raises(TransportError, match="link to the next page") as caught:
        list(pages(client.list_numbered))
    assert caught.value.reason == "bad-response"


def test_pages_in_circles() -> None:
    client, asked = shop(*[{"notes": [], "nextCursor": cursor} for cursor in ("a", "b", "a")])
    with pytest.raises(TransportError, match="already read") as caught:
        list(pages(client.list_notes, owner="me"))
    assert (caught.value.reason, len(asked)) == ("bad-response", 3)


def test_other_methods() -> None:
    client, asked = shop()
    with pytest.raises(TypeError, match="returns no pages"):
        pages(client.list_orders_paging, owner="me")
    assert asked == []


def test_asynchronous_pages() -> None:
    transport, asked = server({"notes": ["a"], "nextCursor": "2"}, {"notes": ["b"]})

    async def run() -> list[str]:
        async with AsyncShopClient("http://host", http=httpx.AsyncClient(transport=transport)) as client:
            return [note async for page in pages(client.shop.list_notes, owner="me") for note in page.notes or []]

    assert asyncio.run(run()) == ["a", "b"]
    assert asked == [{"owner": "me"}, {"owner": "me", "cursor": "2"}]
