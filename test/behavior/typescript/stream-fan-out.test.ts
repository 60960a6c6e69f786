import { expect, it, vi } from "vitest";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import {
  memoryItems,
  streamLog,
} from "../../../runtime/typescript/server/stream-log.js";
import {
  createChatClient,
  MessagesGoneError,
} from "../../golden/fixtures/resumed-streams/expected/index.js";
import { openMessages, serveMessages, subscribeTo } from "./messages-server.js";

it("prints an item once for all subscribers of a method", async () => {
  let reads = 0;
  const log = streamLog({
    store: memoryItems({ items: 1 }),
    place: (messageId, text: string) => ({
      messageId,
      get text() {
        reads += 1;
        return text;
      },
    }),
    gone: () => new MessagesGoneError(),
  });
  const server = serveMessages(subscribeTo(log));
  const chat = createChatClient({ baseUrl: "", fetch: inProcess(server) });
  const readsOf = async (count: number): Promise<number> => {
    const streams = Array.from({ length: count }, () =>
      chat.watch({ room: "lobby" })[Symbol.asyncIterator](),
    );
    const nextOfAll = async (text: string): Promise<void> => {
      const next = streams.map((stream) => stream.next());
      await log.publish("lobby", text);
      for (const { value } of await Promise.all(next)) {
        expect(value?.text).toBe(text);
      }
    };
    await log.publish("lobby", "a");
    await Promise.all(streams.map((stream) => stream.next()));
    // All of them wait for the next item.
    reads = 0;
    await nextOfAll("b");
    await Promise.all(streams.map((stream) => stream.return?.()));
    return reads;
  };
  const once = await readsOf(1);
  expect(once).toBeGreaterThan(0);
  expect(await readsOf(5)).toBe(once);
});

it("needs no timer and no listener for each item of a subscriber", async () => {
  const log = openMessages();
  const { fetch } = serveMessages(subscribeTo(log));
  const open = async () => {
    const { body } = await fetch(
      new Request("http://localhost/rpc/Chat/Watch", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"room":"lobby"}',
      }),
    );
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    return async (text: string): Promise<void> => {
      let read = "";
      while (!read.includes(text)) read = (await reader?.read())?.value ?? text;
    };
  };
  await log.publish("lobby", "first");
  const subscribers = await Promise.all(Array.from({ length: 10 }, open));
  await Promise.all(subscribers.map((waitFor) => waitFor("first")));
  const timers = vi.spyOn(globalThis, "setTimeout");
  const listeners = vi.spyOn(EventTarget.prototype, "addEventListener");
  const items = 50;
  for (let index = 0; index < items; index += 1) {
    const text = `"text ${index}"`;
    const arrived = subscribers.map((waitFor) => waitFor(text));
    await log.publish("lobby", `text ${index}`);
    await Promise.all(arrived);
  }
  // The store has one for each item, and keep-alives are few.
  expect(timers.mock.calls.length).toBeLessThan(2 * items);
  expect(listeners.mock.calls.length).toBeLessThan(items);
  vi.restoreAllMocks();
});
