"""Reads all transfers of a server at once. Usage: client.py URL ENDING SIZE"""

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import transfers
from transfers import RpcError
from transfers.async_client import AsyncTransfersClient

_, url, ending, size = sys.argv
printing = threading.Lock()


def start(client: Any) -> dict[str, Callable[[], Any]]:
    """Returns functions that start transfers."""
    return {
        "lines": lambda: client.clock.watch(ending=ending),
        "events": lambda: client.prices.follow(ticker=ending),
        "a file of known size": lambda: client.files.download(ending=ending, size=int(size)),
        "a file of unknown size": lambda: client.files.download(ending=ending),
        "a REST file of known size": lambda: client.pictures.get(id=f"{ending},{size}"),
        "a REST file of unknown size": lambda: client.pictures.get(id=ending),
    }


class Progress:
    """What a transfer has received."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0

    def add(self, item: object) -> None:
        is_first = self.count == 0
        self.count += len(item) if isinstance(item, bytes) else 1
        if is_first:
            self.tell(False)

    def tell(self, is_over: bool, error: RpcError | None = None) -> None:
        failure = getattr(error, "reason", getattr(error, "name", None))
        told = {"name": self.name, "count": self.count, "isOver": is_over, "failure": failure}
        with printing:
            print(json.dumps(told), flush=True)


def read(name: str, open_transfer: Callable[[], Any]) -> None:
    progress = Progress(name)
    try:
        for item in open_transfer():
            progress.add(item)
    except RpcError as error:
        progress.tell(True, error)
    else:
        progress.tell(True)


async def read_async(name: str, open_transfer: Callable[[], Any]) -> None:
    progress = Progress(f"asyncio: {name}")
    try:
        opened = open_transfer()
        async for item in await opened if asyncio.iscoroutine(opened) else opened:
            progress.add(item)
    except RpcError as error:
        progress.tell(True, error)
    else:
        progress.tell(True)


async def read_all() -> None:
    async with AsyncTransfersClient(url, timeout=5) as client:
        await asyncio.gather(*(read_async(*each) for each in start(client).items()))


with transfers.TransfersClient(url, timeout=5) as client:
    threads = [threading.Thread(target=read, args=each) for each in start(client).items()]
    for thread in threads:
        thread.start()
    asyncio.run(read_all())
    for thread in threads:
        thread.join()
