"""Calls every method of the shop with openapi-python-client's client."""

import json
import sys
from datetime import datetime
from io import BytesIO

from shop_client.api.shop import (
    shop_count,
    shop_download,
    shop_echo,
    shop_get_item,
    shop_get_items,
    shop_ping,
    shop_upload,
)
from shop_client.client import Client
from shop_client.models import (
    CountRequest,
    DownloadRequest,
    Everything,
    GetItemRequest,
    ShopUploadBody,
    UploadRequest,
)
from shop_client.types import File

address = sys.argv[1]
client = Client(base_url=address)
keyed = Client(base_url=address, headers={"X-Api-Key": "key"})
both = keyed.with_headers({"Authorization": "Bearer token"})


class Commas(list):
    """A list that prints as `1,2` in a path, where a plain list is `[1, 2]`."""

    def __str__(self):
        return ",".join(map(str, self))


sent = {
    "text": "naïve 商店 🦄",
    "secret": "1234",
    "password": "5678",
    "flag": True,
    "small": -128,
    "large": 9007199254740991,
    "ratio": 0.5,
    "total": "123456789012345678901234567890",
    "when": "2026-01-31T12:00:00.500000+01:00",
    "data": "AAECAw==",
    "color": "Blue",
    "code": "EUR",
    "list": ["a", "b"],
    "counts": {"one": 1, "two": 2},
    "byColor": {"Red": {"id": 1, "name": "SICP", "kind": "something new"}},
    "nothing": None,
    "sold": None,
    "anything": {"deep": [1, None]},
}


def echo(**changes):
    body = Everything.from_dict({**sent, **changes})
    return shop_echo.sync("at", client=client, body=body)


def get_item(by, id):
    return shop_get_item.sync("at", client=by, body=GetItemRequest(id=id))


def get_items(*ids):
    return shop_get_items.sync(Commas(ids), client=client)


def count(to):
    body = CountRequest(to=to)
    return shop_count.sync_detailed("at", client=client, body=body)


def upload(title):
    picture = File(BytesIO(b"content"), "a.txt", "text/plain")
    body = ShopUploadBody(json=UploadRequest(title=title), picture=picture)
    return shop_upload.sync("at", client=client, body=body)


def download(title):
    body = DownloadRequest(title=title)
    return shop_download.sync("at", client=client, body=body)


def check(got, expected):
    assert got == expected, f"expected {expected}, got {got}"


def check_error(got, name, status):
    check((got.error, got.status), (name, status))


check(shop_ping.sync("at", client=client).ok, True)
echoed = echo()
check(echoed.to_dict(), sent)
check(echoed.when, datetime.fromisoformat(sent["when"]))
check(get_item(both, 2).item.parent.name, "SICP")
check([item.name for item in get_items(1, 2)], ["SICP", "Alien"])
lines = [json.loads(line) for line in count(3).content.split(b"\n") if line]
check(lines, [{"n": 1}, {"n": 2}, {"n": 3}])
check(upload("a").bytes_, 7)
check(download("a").payload.read(), b"content")

check_error(shop_ping.sync("zz", client=client), "WebrpcBadRoute", 404)
check_error(echo(text="sold"), "Sold", 409)
check_error(echo(text="x" * 21), "InvalidArgument", 400)
check_error(get_item(both, 404), "ItemNotFound", 404)
check_error(get_item(client, 2), "Unauthorized", 401)
check_error(get_item(keyed, 2), "Forbidden", 403)
check_error(get_items(1, 404), "ItemNotFound", 404)
check_error(count(0).parsed, "Sold", 409)
check_error(upload("sold"), "Sold", 409)
check_error(download("none"), "ItemNotFound", 404)
