"""Compares calls with those of bare httpx, and measures an import."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

SERVER = """
import asyncio, sys
bodies = {b"/rpc/Bench/Small": sys.argv[1].encode(), b"/rpc/Bench/Large": sys.argv[2].encode()}
async def serve(reader, writer):
    while True:
        try:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
        except asyncio.IncompleteReadError:
            return writer.close()
        length = next(int(l.split(b":")[1]) for l in head.lower().split(b"\\r\\n") if l.startswith(b"content-length"))
        await reader.readexactly(length)
        body = bodies[head.split(b" ")[1]]
        writer.write(b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(body))
        writer.write(body)
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""

ITEM = {f"text{n}": "some text" for n in range(5)} | {f"count{n}": n * 1000 for n in range(6)}
ITEM |= {"at": "2024-02-29T12:00:00Z", "large": "1" + "0" * 30, "flag": True, "tags": ["a", "b", "c"]}


def cpu_of(call: Callable[[], Any], count: int) -> float:
    """Returns the lowest CPU time of a call, in microseconds."""
    times: list[float] = []
    for _ in range(12):
        start = time.process_time()
        for _ in range(count):
            call()
        times.append((time.process_time() - start) / count * 1e6)
    return min(times)


def compare(name: str, url: str, path: str, request: dict[str, Any], ours: Callable[[], Any], count: int) -> None:
    with httpx.Client(timeout=None) as http:

        def bare() -> Any:
            headers = {"content-type": "application/json"}
            return json.loads(http.post(url + path, content=json.dumps(request), headers=headers).content)

        cpu_of(bare, 20)
        cpu_of(ours, 20)
        expected, found = cpu_of(bare, count), cpu_of(ours, count)
    print(f"{name}: bare httpx {expected:.0f} µs, generated client {found:.0f} µs, {found / expected:.2f}")


def main() -> None:
    import bench
    from bench import types

    bodies = [json.dumps({"item": ITEM}), json.dumps({"items": [ITEM] * 200})]
    server = subprocess.Popen([sys.executable, "-c", SERVER, *bodies], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    url = f"http://127.0.0.1:{server.stdout.readline().strip()}"
    try:
        with bench.BenchClient(url) as client:
            item = types.Item.model_validate_json(json.dumps(ITEM))
            small, large = "/rpc/Bench/Small", "/rpc/Bench/Large"
            compare("15 fields", url, small, {"item": ITEM}, lambda: client.bench.small(item=item), 200)
            compare("200 structs", url, large, {"id": 1}, lambda: client.bench.large(id=1), 50)
    finally:
        server.kill()
    program = "import time, many; print(time.process_time())"
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True) for _ in range(6)]
    lines = sum(len(file.read_text().splitlines()) for file in Path("many").rglob("*.py"))
    print(f"import of 1,000 methods ({lines} lines): {min(float(run.stdout) for run in runs):.2f} s of CPU")


main()
