import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createChatClient } from "../../golden/fixtures/streams/expected/client.js";
import { createChatServer } from "../../golden/fixtures/streams/expected/server.js";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const aborts: unknown[] = [];

const server = createChatServer({
  handlers: {
    chat: {
      async say({ room }, { signal }) {
        if (room !== "slow") return { id: 1n };
        await new Promise((resolve) =>
          signal.addEventListener("abort", resolve),
        );
        aborts.push(signal.reason);
        return { id: 2n };
      },
      async *watch() {},
      async *count({ rooms }) {
        for (const room of rooms) yield { room, count: room.length };
      },
      async *tick() {},
    },
    clock: { async *now() {} },
  },
});

it.each(["", "/", "https://chat.example.com", "http://localhost:1/"])(
  "reaches a server in the same process at %j",
  async (baseUrl) => {
    const client = createChatClient({ baseUrl, fetch: inProcess(server) });
    expect(await client.say({ room: "a", text: "b" })).toEqual({ id: 1n });
    const wrong = await client.say.result({ room: "a", text: 7 as never });
    expect(wrong).toMatchObject({ ok: false, error: { status: 400 } });
  },
);

it("calls no server if its signal is already aborted", async () => {
  const fetch = inProcess({
    fetch: () => expect.unreachable("the server was called"),
  });
  const signal = AbortSignal.abort("nobody waits");
  await expect(fetch("/", { signal })).rejects.toBe("nobody waits");
});

it("streams and aborts as it would over the network", async () => {
  const client = createChatClient({ baseUrl: "", fetch: inProcess(server) });
  const counts: number[] = [];
  for await (const { count } of client.count({ rooms: ["a", "bc"] })) {
    counts.push(count);
  }
  expect(counts).toEqual([1, 2]);
  const slow = client.say.result({ room: "slow", text: "" }, { timeoutMs: 10 });
  expect(await slow).toMatchObject({ error: { reason: "timeout" } });
  await expect.poll(() => aborts).toHaveLength(1);
});

it("aborts a handler that waits only for its signal, despite garbage collection", async () => {
  const waiting = inProcess({
    fetch: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const signal = AbortSignal.timeout(100);
  const answer = waiting("/", { signal });
  const isAborted = expect(answer).rejects.toThrow("aborted due to timeout");
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
  }
  await isAborted;
});
