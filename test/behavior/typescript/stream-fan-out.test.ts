import { createHook } from "node:async_hooks";
import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import {
  memoryItems,
  streamLog,
  type StreamLog,
} from "../../../runtime/typescript/server/stream-log.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import {
  createChatClient,
  MessagesGoneError,
} from "../../golden/fixtures/resumed-streams/expected/index.js";
import { createChatServer } from "../../golden/fixtures/resumed-streams/expected/server.js";

interface Message {
  readonly messageId: number;
  readonly text: string;
}

const openLog = (): StreamLog<string, Message> =>
  streamLog({
    store: memoryItems(),
    place: (messageId, text: string) => ({ messageId, text }),
    gone: () => new MessagesGoneError(),
  });

/** Creates a server whose rooms are the topics of a log. */
function serveLog(log: StreamLog<string, Message>): RpcServer {
  return createChatServer({
    handlers: {
      chat: {
        watch: ({ room }, { signal }) => log.subscribe(room, { signal }),
        watchAll: async function* () {},
        follow: async function* () {},
        tick: async function* () {},
      },
    },
  });
}

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
  const server = serveLog(log);
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
  const log = openLog();
  const { fetch } = serveLog(log);
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

it("needs no promise for each item of a subscriber on Node", async () => {
  const log = openLog();
  const { port } = await listenForTest(
    createServer(toNodeHandler(serveLog(log))),
  );
  const body = '{"room":"lobby"}';
  const head = `POST /rpc/Chat/Watch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const received: (() => string)[] = [];
  const open = (): void => {
    const socket = connect(port, "127.0.0.1", () => socket.write(head + body));
    let text = "";
    socket.on("data", (data) => (text += String(data)));
    received.push(() => text);
    onTestFinished(() => void socket.destroy());
  };
  for (let index = 0; index < 50; index += 1) open();
  const arrive = (text: string) =>
    vi.waitUntil(() => received.every((read) => read().includes(text)), 10_000);
  await log.publish("lobby", "first");
  await arrive("first");
  let promises = 0;
  const hook = createHook({
    init: (_, type) => (promises += type === "PROMISE" ? 1 : 0),
  });
  const items = 20;
  hook.enable();
  for (let index = 0; index < items; index += 1) {
    await log.publish("lobby", `text ${index}`);
    await arrive(`text ${index}`);
  }
  hook.disable();
  // Publishing and waiting need some for each item.
  expect(promises).toBeLessThan(received.length * items);
});
