import { afterEach, describe, expect, it } from "vitest";
import { hosts, listenerHost, type Running, type TestHost } from "./hosts.js";
import { lambdaStreamHost } from "./lambda-hosts.js";
import { createClock, sleep, until, type Watch } from "./stream-server.js";
import type { ServerOptions } from "../../../runtime/typescript/server/server.js";

const streaming = [...hosts, listenerHost, lambdaStreamHost];
const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

/** Returns the response of a method that streams like `watch`. */
async function open(
  host: TestHost,
  watch: Watch,
  options?: ServerOptions,
  init: RequestInit = {},
): Promise<Response> {
  const started = await host.start(createClock(watch, options));
  running.push(started);
  return started.fetch("http://host/rpc/Clock/Watch", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
    ...init,
  });
}

describe.each(streaming)("a stream on $name", (host) => {
  it("starts before its first item", async () => {
    let goOn = (): void => {};
    const watch: Watch = async function* () {
      await new Promise<void>((resolve) => (goOn = resolve));
      yield { n: 1 };
    };
    const answer = await open(host, watch);
    expect(answer.status).toBe(200);
    goOn();
    expect(await answer.text()).toBe('\n{"n":1}\n');
  });

  it("sends keep-alive lines while there is no data to send", async () => {
    const watch: Watch = async function* () {
      yield { n: 1 };
      await sleep(90);
      yield { n: 2 };
    };
    const answer = await open(host, watch, { keepAliveMs: 20 });
    expect(await answer.text()).toMatch(/^\n\{"n":1\}\n\n{1,9}\{"n":2\}\n$/u);
  });

  it("ends when the client disconnects, whatever the handler waits for", async () => {
    const seen: string[] = [];
    const watch: Watch = async function* (_request, { signal }) {
      signal.addEventListener("abort", () => seen.push("aborted"));
      try {
        yield { n: 1 };
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("left")));
        });
      } finally {
        seen.push("left");
      }
    };
    const answer = await open(host, watch);
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await until(() => seen.length === 2);
    expect(seen).toEqual(["aborted", "left"]);
  });

  it("closes its generator when the client disconnects", async () => {
    let isLeft = false;
    const answer = await open(host, async function* () {
      try {
        for (let n = 1; ; n += 1) {
          yield { n };
          await sleep(1);
        }
      } finally {
        isLeft = true;
      }
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await until(() => isLeft);
    expect(isLeft).toBe(true);
  });

  it("is produced no faster than it is read", async () => {
    let count = 0;
    const answer = await open(host, async function* () {
      for (;;) {
        count += 1;
        yield { n: count, text: "x".repeat(10_000) };
      }
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    let before = -1;
    while (count !== before) {
      before = count;
      await sleep(100);
    }
    // The socket buffers on both sides of a connection hold megabytes, and each
    // item has 10 kB.
    expect(count).toBeLessThan(2000);
    for (let read = 0; count === before && read < 2000; read += 1) {
      await reader?.read();
    }
    expect(count).toBeGreaterThan(before);
    await reader?.cancel();
  });

  it("preserves any text", async () => {
    const text = "é\u{1f600}\u2028\n\0".repeat(3000);
    const answer = await open(host, async function* () {
      yield { n: 1, text };
      yield { n: 2, text };
    });
    const lines = (await answer.text()).split("\n");
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[1] ?? "")).toEqual({ n: 1, text });
    expect(JSON.parse(lines[2] ?? "")).toEqual({ n: 2, text });
  });
});
