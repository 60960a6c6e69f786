import { createServer } from "node:http";
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { openStream } from "@ridlkit/runtime/stream";
import {
  chatWatch,
  createChatHostClient,
  RoomGoneError,
  type ChatHostClient,
  type Message,
  type WatchError,
} from "../golden/fixtures/streams/expected/index.js";
import {
  createChatServer,
  type ChatHandler,
  type ClockHandler,
} from "../golden/fixtures/streams/expected/server.js";
import { listen } from "../support/listen.js";

const hello: Message = {
  id: 12_345_678_901_234_567n,
  author: "ann",
  text: "hello\n",
  sentAt: new Date("2026-11-20T10:00:00.123Z"),
  reward: 10n ** 30n,
};

const left: string[] = [];

const chat: ChatHandler = {
  async *watch({ room, after = 0n }) {
    if (room === "none") throw new RoomGoneError({ cause: room });
    try {
      yield { ...hello, id: hello.id + after };
      yield { ...hello, text: room };
      if (room === "closing") throw new RoomGoneError();
    } finally {
      left.push(room);
    }
  },
  async *count({ rooms }) {
    for (const room of rooms) yield { room, count: room.length };
  },
  async *tick() {
    yield {};
    yield {};
  },
  async say() {
    return { id: 1n };
  },
};

const clock: ClockHandler = {
  async now() {
    return (async function* () {
      yield { at: hello.sentAt };
    })();
  },
};

const server = createServer(
  toNodeHandler(createChatServer({ handlers: { chat, clock } })),
);
let client: ChatHostClient;
let baseUrl = "";
let close: () => Promise<void>;

beforeAll(async () => {
  ({ url: baseUrl, close } = await listen(server));
  client = createChatHostClient({ baseUrl });
});

afterAll(() => close());

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("a stream delivers every item with exact values", async () => {
  const items = client.chat.watch({ room: "a", after: 1n });
  expectTypeOf(items).toEqualTypeOf<AsyncIterable<Message>>();
  expect(await collect(items)).toEqual([
    { ...hello, id: hello.id + 1n },
    { ...hello, text: "a" },
  ]);
});

test("streams and calls work side by side", async () => {
  expect(await client.chat.say({ room: "a", text: "" })).toEqual({ id: 1n });
  const counts = client.chat.count({ rooms: ["a", "bc"] });
  expect(await collect(counts)).toEqual([
    { room: "a", count: 1 },
    { room: "bc", count: 2 },
  ]);
  expect(await collect(client.chat.tick())).toEqual([{}, {}]);
  expect(await collect(client.clock.now())).toEqual([{ at: hello.sentAt }]);
});

test("a stream can be opened without a client object", async () => {
  const items = openStream({ baseUrl }, chatWatch, { room: "b" });
  expectTypeOf(items).toEqualTypeOf<AsyncIterable<Message>>();
  expect(await collect(items)).toHaveLength(2);
});

test("errors before and during the stream have their classes", async () => {
  const refused = collect(client.chat.watch({ room: "none" }));
  await expect(refused).rejects.toBeInstanceOf(RoomGoneError);
  await expect(refused).rejects.toMatchObject({ status: 410, cause: "none" });
  const broken = await collect(client.chat.watch.result({ room: "closing" }));
  expect(broken.map(({ ok }) => ok)).toEqual([true, true, false]);
  const last = broken[2];
  if (last?.ok !== false) throw new Error("the room was closing");
  expect(last.error).toBeInstanceOf(RoomGoneError);
  if (last.error.name === "RoomGone") {
    expectTypeOf(last.error).toEqualTypeOf<RoomGoneError>();
  }
  expectTypeOf<RoomGoneError>().toExtend<WatchError>();
});

test("an invalid request is rejected before the stream starts", async () => {
  await expect(collect(client.chat.watch({ room: "" }))).rejects.toMatchObject({
    name: "WebrpcBadRequest",
    status: 400,
  });
});

test("leaving the loop closes the generator", async () => {
  left.length = 0;
  for await (const item of client.chat.watch({ room: "left" })) {
    expect(item.id).toBe(hello.id);
    break;
  }
  for (let waited = 0; left.length === 0 && waited < 400; waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(left).toEqual(["left"]);
});
