import { expect, onTestFinished, test, vi } from "vitest";
import { send } from "../../../tools/test/send.js";
import { type Bug, serve, testShop } from "./shop.js";

test.each([
  ["0", 0],
  ["2", 2000],
  ["60", 5000],
  ["Thu, 01 Jan 1970 00:00:03 GMT", 3000],
  ["Wed, 31 Dec 1969 00:00:00 GMT", 0],
  ["soon", 1000],
])("retries after `Retry-After: %s`", async (header, delayMs) => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const times: number[] = [];
  const fetch = async (): Promise<Response> => {
    times.push(Date.now());
    return times.length === 1
      ? new Response("", { status: 503, headers: { "retry-after": header } })
      : new Response("{}");
  };
  const options = { fetch, timeoutMs: 60_000 };
  const sent = send("http://shop.example", {}, false, options);
  await vi.runAllTimersAsync();
  expect(await sent).toMatchObject({ status: 200, text: "{}" });
  expect(times).toEqual([0, delayMs]);
});

/** Returns a body that breaks off after a text. */
function cutAfter(text: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError("terminated"));
      else controller.enqueue(new TextEncoder().encode(text));
      isSent = true;
    },
  });
}

test.each(["application/json", "application/x-ndjson", "text/event-stream"])(
  "does not repeat a request whose %s is cut off",
  async (type) => {
    const fetch = vi.fn(
      async () =>
        new Response(cutAfter('{"a":'), { headers: { "content-type": type } }),
    );
    const options = { fetch, timeoutMs: 60_000 };
    expect(await send("http://shop.example", {}, true, options)).toBe(
      "the response was cut off: terminated",
    );
    expect(fetch).toHaveBeenCalledOnce();
  },
);

test.each([
  [true, 4],
  [false, 1],
])(
  "sends a request without a response again if it is repeatable: %s",
  async (isRepeatable, count) => {
    const cause = new Error("other side closed");
    const fetch = vi.fn(() =>
      Promise.reject(new TypeError("fetch failed", { cause })),
    );
    const options = { fetch, timeoutMs: 60_000 };
    const result = await send("http://shop.example", {}, isRepeatable, options);
    expect(result).toBe("no response: other side closed");
    expect(fetch).toHaveBeenCalledTimes(count);
  },
);

test.each([
  ["AddBook", 0],
  ["GetBook", 1],
])("repeats a lost request of %s %i times", async (name, times) => {
  let count = 0;
  const wrap: Bug["wrap"] = async (request, handle) => {
    count += 1;
    if (count === 1) throw new TypeError("fetch failed");
    return handle(request);
  };
  const server = await serve({ wrap });
  const { methods } = await testShop(server, `Shop.${name}`, { runs: 2 });
  const checks = methods.flatMap((method) => method.checks);
  const requests = checks.reduce((sum, check) => sum + check.requests, 0);
  expect(requests).toBeGreaterThan(10);
  expect(count).toBe(requests + times);
});
