"""Calls every method of the platform, and prints the responses."""

import importlib
import inspect
import json
import re
import sys

from platform_client.client import Client

address, file = sys.argv[1:]
with open(file) as opened:
    described = json.load(opened)
client = Client(base_url=address, headers=described["headers"])


class Commas(list):
    """A list that prints as `1,2` in a path, where a plain list is `[1, 2]`."""

    def __str__(self):
        return ",".join(map(str, self))


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def as_json(value):
    if isinstance(value, list):
        return [as_json(item) for item in value]
    return value.to_dict()


def call(id, tag, parameters, body, **_):
    module = importlib.import_module(
        f"platform_client.api.{snake(tag)}.{snake(id)}"
    )
    values = [
        Commas(value) if isinstance(value, list) else value
        for _, value in parameters
    ]
    named = {"client": client}
    if body is not None:
        declared = inspect.signature(module.sync_detailed).parameters["body"]
        named["body"] = declared.annotation.from_dict(body)
    answer = module.sync_detailed(*values, **named)
    return {"status": int(answer.status_code), "json": as_json(answer.parsed)}


print(json.dumps([call(**each) for each in described["calls"]]))
