import { expect, onTestFinished, test, vi } from "vitest";
import { send } from "../../../tools/test/send.js";

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
  const sent = send("http://shop.example", {}, { fetch, timeoutMs: 60_000 });
  await vi.runAllTimersAsync();
  expect(await sent).toMatchObject({ status: 200, text: "{}" });
  expect(times).toEqual([0, delayMs]);
});
