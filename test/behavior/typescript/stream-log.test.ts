import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import {
  type ItemStore,
  memoryItems,
  streamLog,
  type StreamLog,
} from "../../../runtime/typescript/server/stream-log.js";
import {
  createChatClient,
  MessagesGoneError,
} from "../../golden/fixtures/resumed-streams/expected/index.js";
import { createChatServer } from "../../golden/fixtures/resumed-streams/expected/server.js";

interface Numbered {
  readonly id: number;
  readonly text: string;
}

type Log = StreamLog<string, Numbered>;

function openLog(store: ItemStore = memoryItems(), tailItems = 1000): Log {
  return streamLog<string, Numbered>({
    store,
    tailItems,
    place: (id, text) => ({ id, text }),
    gone: () => new MessagesGoneError(),
  });
}

/** Returns the next items of a subscription. */
async function take(
  items: AsyncGenerator<Numbered>,
  count: number,
): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < count) {
    const { done, value } = await items.next();
    if (done) break;
    texts.push(value.text);
  }
  return texts;
}

async function publish(
  log: Log,
  ...texts: readonly string[]
): Promise<number[]> {
  const cursors: number[] = [];
  for (const text of texts) cursors.push(await log.publish("lobby", text));
  return cursors;
}

const letters = ["a", "b", "c", "d", "e"];

describe("a stream log", () => {
  it("yields past and future items to all instances", async () => {
    const store = memoryItems();
    const [one, two] = [openLog(store), openLog(store)];
    await publish(one, "a", "b");
    const readers = [one.subscribe("lobby"), two.subscribe("lobby")];
    const other = one.subscribe("attic");
    const first = other.next();
    for (const reader of readers) {
      expect(await take(reader, 2)).toEqual(["a", "b"]);
    }
    const next = readers.map((reader) => take(reader, 3));
    await publish(one, "c");
    await publish(two, "d", "e");
    expect(await Promise.all(next)).toEqual([
      ["c", "d", "e"],
      ["c", "d", "e"],
    ]);
    await one.publish("attic", "dust");
    expect((await first).value).toMatchObject({ text: "dust" });
  });

  it("continues after a cursor, as a number or as text", async () => {
    const log = openLog();
    const cursors = await publish(log, ...letters);
    const [first = 0] = cursors;
    expect(cursors).toEqual(letters.map((_, index) => first + index));
    const later = letters.slice(2);
    const after = first + 1;
    for (const each of [after, BigInt(after), String(after)]) {
      const items = log.subscribe("lobby", { after: each });
      expect(await take(items, 3)).toEqual(later);
      await items.return();
    }
    const none = log.subscribe("lobby", { after: 0 });
    expect(await take(none, 5)).toEqual(letters);
  });

  it("can start with the next item", async () => {
    const log = openLog();
    await publish(log, "a");
    const items = log.subscribe("lobby", { from: "newest" });
    const next = take(items, 1);
    await sleep(1);
    await publish(log, "b");
    expect(await next).toEqual(["b"]);
  });

  it("answers calls that are made at once in order", async () => {
    const log = openLog();
    const items = log.subscribe("lobby");
    const next = [take(items, 1), take(items, 1), take(items, 1)];
    await publish(log, "a", "b", "c");
    expect(await Promise.all(next)).toEqual([["a"], ["b"], ["c"]]);
  });

  it("ends at once when it is closed", async () => {
    const log = openLog();
    const items = log.subscribe("lobby");
    const next = take(items, 1);
    await items.return();
    expect(await next).toEqual([]);
    await publish(log, "a");
    expect(await take(items, 1)).toEqual([]);
    const failing = log.subscribe("lobby");
    await expect(failing.throw(new Error("lost"))).rejects.toThrow("lost");
    expect(await take(failing, 1)).toEqual([]);
  });

  it("ends when an item cannot be placed", async () => {
    const log = streamLog<string, Numbered>({
      store: memoryItems(),
      place: (id, text) => {
        if (text === "b") throw new Error("no place");
        return { id, text };
      },
      gone: () => new MessagesGoneError(),
    });
    const items = log.subscribe("lobby");
    await publish(log, "a", "b", "c");
    expect(await take(items, 1)).toEqual(["a"]);
    await expect(items.next()).rejects.toThrow("no place");
    expect(await take(items, 1)).toEqual([]);
  });

  it("rejects cursors whose next item it does not keep", async () => {
    const log = openLog(memoryItems({ items: 3 }));
    const [first = 0] = await publish(log, ...letters);
    const fails = async (after: number | string): Promise<void> => {
      const next = log.subscribe("lobby", { after }).next();
      await expect(next).rejects.toBeInstanceOf(MessagesGoneError);
    };
    await fails(first);
    const kept = log.subscribe("lobby", { after: first + 1 });
    expect(await take(kept, 3)).toEqual(["c", "d", "e"]);
    // A cursor of the future, and those of no log.
    for (const after of [first + 5, -1, 1.5, "", "x", "1e400", 2 ** 60]) {
      await fails(after);
    }
  });

  it("rejects cursors of a process that has ended", async () => {
    const [, , last = 0] = await publish(openLog(), "a", "b", "c");
    await sleep(2);
    const log = openLog();
    const next = log.subscribe("lobby", { after: last }).next();
    await expect(next).rejects.toBeInstanceOf(MessagesGoneError);
    await publish(log, ...letters);
    const again = log.subscribe("lobby", { after: last }).next();
    await expect(again).rejects.toBeInstanceOf(MessagesGoneError);
  });

  it("removes old items, but never the newest", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const log = openLog(memoryItems({ ms: 1000 }));
    const [first = 0] = await publish(log, "a", "b");
    vi.setSystemTime(Date.now() + 2000);
    expect(await take(log.subscribe("lobby"), 1)).toEqual(["b"]);
    const next = take(log.subscribe("lobby", { after: first + 1 }), 1);
    await publish(log, "c");
    expect(await next).toEqual(["c"]);
    vi.useRealTimers();
  });

  it("reads from the store in pages for who is behind its tail", async () => {
    const store = memoryItems({ items: 5000 });
    const read = vi.spyOn(store, "read");
    const log = openLog(store, 10);
    const slow = log.subscribe("lobby");
    const texts = Array.from({ length: 3000 }, (_, index) => String(index));
    const first = take(slow, 1);
    await publish(log, ...texts);
    expect(await first).toEqual(["0"]);
    expect(await take(slow, 2999)).toEqual(texts.slice(1));
    for (const [, , limit] of read.mock.calls) {
      expect(limit).toBeLessThanOrEqual(100);
    }
  });

  it("cuts a reader that falls behind what is kept", async () => {
    const log = openLog(memoryItems({ items: 200 }), 10);
    const slow = log.subscribe("lobby");
    const first = take(slow, 1);
    await publish(log, ...Array.from({ length: 1000 }, String));
    await first;
    await expect(take(slow, 1000)).rejects.toBeInstanceOf(MessagesGoneError);
    expect((await slow.next()).done).toBe(true);
  });

  it("releases everything when its readers leave", async () => {
    const store = memoryItems();
    const left = vi.fn();
    const watch: ItemStore["watch"] = (topic, wake) => {
      const end = store.watch(topic, wake);
      return () => left(end());
    };
    const log = openLog({ ...store, watch });
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = [
      log.subscribe("lobby", { signal }).next(),
      log.subscribe("lobby", { signal }).next(),
    ];
    await sleep(1);
    expect(left).not.toHaveBeenCalled();
    controller.abort();
    for (const each of waiting) expect((await each).done).toBe(true);
    expect(left).toHaveBeenCalledOnce();
    const ended = log.subscribe("lobby", { signal: AbortSignal.abort() });
    expect((await ended.next()).done).toBe(true);
  });

  it("ends in the middle of a page if the signal aborts", async () => {
    const log = openLog();
    await publish(log, ...letters);
    const controller = new AbortController();
    const { signal } = controller;
    const items = log.subscribe("lobby", { signal });
    expect(await take(items, 1)).toEqual(["a"]);
    controller.abort();
    expect(await take(items, 4)).toEqual([]);
  });

  it("rejects items that are no JSON", async () => {
    const log = streamLog<unknown, unknown>({
      store: memoryItems(),
      place: (_, item) => item,
      gone: () => new MessagesGoneError(),
    });
    for (const item of [undefined, () => 1, 1n]) {
      await expect(log.publish("lobby", item)).rejects.toThrow(TypeError);
    }
    await log.publish("lobby", null);
    expect((await log.subscribe("lobby").next()).value).toBeNull();
  });

  it("does not take a cursor for unknown that another instance has sent", async () => {
    const store = memoryItems();
    const [one, two] = [
      openLog(store),
      // This instance learns of new items later.
      openLog({ ...store, watch: () => () => undefined }),
    ];
    await publish(one, "a");
    const early = two.subscribe("lobby");
    await early.next();
    const [last = 0] = await publish(one, "b");
    const controller = new AbortController();
    const { signal } = controller;
    const next = two.subscribe("lobby", { after: last, signal }).next();
    await sleep(5);
    controller.abort();
    expect((await next).done).toBe(true);
  });
});

/** A store that never answers as long as `hangs` is set. */
function hangingStore(): ItemStore & { hangs: boolean } {
  const store = memoryItems();
  return {
    ...store,
    hangs: true,
    read(...args) {
      return this.hangs ? new Promise(() => {}) : store.read(...args);
    },
  };
}

describe("a stream log whose store has lost items", () => {
  it("waits for the next item", async () => {
    let wake = (): void => {};
    let reads = 0;
    let items: { position: number; text: string }[] = [];
    const store: ItemStore = {
      append: () => Promise.reject(new Error("not used")),
      read: async (_, after) => {
        reads += 1;
        // Reads without end would keep the test from failing.
        if (reads > 3) await sleep(0);
        const next = items.filter(({ position }) => position > after);
        return { last: 5 + items.length, items: next };
      },
      watch: (_, given) => {
        wake = given;
        return () => {};
      },
    };
    const next = take(openLog(store).subscribe("lobby"), 1);
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 100; turn += 1) await sleep(0);
    };
    await settle();
    expect(reads).toBeLessThanOrEqual(3);
    items = [{ position: 6, text: '"f"' }];
    wake();
    expect(await next).toEqual(["f"]);
  });
});

describe("items in memory", () => {
  it("forget the topic without a new item for the longest time", async () => {
    const store = memoryItems({ topics: 2 });
    const unwatch = store.watch("a", () => {});
    for (const topic of ["a", "b", "a", "c"]) await store.append(topic, "1");
    const kept = async (): Promise<boolean[]> => {
      const pages = ["a", "b", "c"].map((topic) => store.read(topic, 0, 9));
      return (await Promise.all(pages)).map(({ last }) => last !== null);
    };
    expect(await kept()).toEqual([true, false, true]);
    await store.append("b", "1");
    // The topic has a reader.
    expect(await kept()).toEqual([true, true, false]);
    unwatch();
    await store.append("c", "1");
    expect(await kept()).toEqual([false, true, true]);
  });
});

describe("a stream log whose store does not answer", () => {
  it("ends subscriptions whose client has left", async () => {
    const store = hangingStore();
    const log = openLog(store);
    const controller = new AbortController();
    const { signal } = controller;
    const starting = log.subscribe("lobby", { signal }).next();
    await sleep(1);
    controller.abort();
    expect((await starting).done).toBe(true);
    const late = log.subscribe("lobby", { signal });
    expect((await late.next()).done).toBe(true);

    const other = new AbortController();
    store.hangs = false;
    const [first = 0] = await publish(log, "a", "b");
    const waiting = log.subscribe("lobby", {
      after: first,
      signal: other.signal,
    });
    expect(await take(waiting, 1)).toEqual(["b"]);
    store.hangs = true;
    const behind = log.subscribe("lobby", {
      after: first,
      signal: other.signal,
    });
    const reading = behind.next();
    await sleep(1);
    other.abort();
    expect((await reading).done).toBe(true);
    expect((await waiting.next()).done).toBe(true);
  });

  it("lets clients reconnect after 30 seconds", async () => {
    vi.useFakeTimers();
    const next = openLog(hangingStore()).subscribe("lobby").next();
    const failing = expect(next).rejects.toMatchObject({ status: 503 });
    await vi.advanceTimersByTimeAsync(30_000);
    await failing;
    vi.useRealTimers();
  });

  it("continues with later items", async () => {
    vi.useFakeTimers();
    const store = hangingStore();
    store.hangs = false;
    const log = openLog(store);
    const next = take(log.subscribe("lobby"), 1);
    await vi.advanceTimersByTimeAsync(1);
    store.hangs = true;
    await publish(log, "a");
    store.hangs = false;
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await next).toEqual(["a"]);
    vi.useRealTimers();
  });
});

describe("a server with a stream log", () => {
  /** Opens a client of a server whose store fails as often as `failures` says. */
  function openChat(failures: number, items = 1000) {
    const store = memoryItems({ items });
    let left = failures;
    const failing: ItemStore = {
      ...store,
      read: async (...args) => {
        left -= 1;
        if (left >= 0) throw new Error("the database is down");
        return store.read(...args);
      },
    };
    const log = openLog(failing);
    const server = createChatServer({
      handlers: {
        chat: {
          async *watch({ room, since: after }, { signal }) {
            const items = log.subscribe(room, { after, signal });
            for await (const { id, text } of items) {
              yield { messageId: id, text };
            }
          },
          watchAll: async function* () {},
          follow: async function* () {},
          tick: async function* () {},
        },
      },
      onError: () => undefined,
    });
    const chat = createChatClient({ baseUrl: "", fetch: inProcess(server) });
    return { chat, log };
  }

  it("tells clients that their cursor is gone", async () => {
    const { chat, log } = openChat(0, 2);
    const [since = 0] = await publish(log, ...letters);
    const reconnect = { minDelayMs: 1 };
    const items = chat.watch.result({ room: "lobby", since }, { reconnect });
    const results = [];
    for await (const each of items) results.push(each);
    expect(results).toEqual([
      { ok: false, error: expect.objectContaining({ status: 410 }) },
    ]);
    expect(results[0]).toHaveProperty("error.name", "MessagesGone");
  });

  it("lets clients reconnect if the store fails", async () => {
    const { chat, log } = openChat(3);
    await publish(log, ...letters);
    const reconnect = { minDelayMs: 1, attempts: 10 };
    const texts: string[] = [];
    for await (const item of chat.watch({ room: "lobby" }, { reconnect })) {
      texts.push(item.text);
      if (texts.length === letters.length) break;
    }
    expect(texts).toEqual(letters);
    const { chat: impatient } = openChat(1);
    const once = async (): Promise<void> => {
      for await (const _ of impatient.watch({ room: "lobby" })) break;
    };
    await expect(once()).rejects.toMatchObject({ status: 503 });
  });
});
