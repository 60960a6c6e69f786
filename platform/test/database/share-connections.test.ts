import { expect, test } from "vitest";

import { shareConnections } from "../../database/share-connections.js";
import {
  asCaller,
  asShared,
  forever,
  withSignal,
} from "../../process/concurrency/caller.js";

interface Client {
  release(): void;
}

/** Connects without a limit, and counts the connections in use. */
function createPool(waitMs = 60_000) {
  let used = 0;
  let most = 0;
  const connect = shareConnections(
    () => {
      used += 1;
      most = Math.max(most, used);
      return Promise.resolve({ release: () => void (used -= 1) });
    },
    { ofCalls: 4, ofCaller: 2, waitMs, refuse: () => new Error("too busy") },
  );
  return { connect, used: () => used, most: () => most };
}

/** Starts calls that connect. Returns their connections in order. */
function start(connect: () => Promise<Client>, callers: string[]) {
  const open: (readonly [string, Client])[] = [];
  for (const caller of callers) {
    void asCaller(caller, async () => open.push([caller, await connect()]));
  }
  return open;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("gives callers turns, and keeps connections for the platform's own work", async () => {
  const pool = createPool();
  const names = ["a", "a", "a", "a", "b", "b", "b", "c"];
  const open = start(pool.connect, names);
  await settled();
  const callers = () => open.map(([caller]) => caller);
  expect(callers()).toEqual(["a", "a", "b", "b"]);
  const own = await pool.connect();
  expect(pool.used()).toBe(5);
  own.release();
  for (let at = 0; at < names.length; at += 1) {
    open[at]?.[1].release();
    await settled();
    // Each of the others had at most one turn before.
    if (at === 2) expect(callers()).toContain("c");
  }
  expect(callers().sort()).toEqual(names.toSorted());
  expect([pool.used(), pool.most()]).toEqual([0, 5]);
});

test("counts all connections of a call", async () => {
  const pool = createPool();
  await asCaller("a", () =>
    Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = await pool.connect();
        await settled();
        client.release();
      }),
    ),
  );
  expect([pool.used(), pool.most()]).toEqual([0, 2]);
});

test("work that calls share takes turns with callers", async () => {
  const pool = createPool();
  const open = start(pool.connect, ["a", "a", "a"]);
  const share = (): Promise<Client> => asShared(pool.connect, forever);
  const shared = Array.from({ length: 3 }, () => asCaller("a", share));
  const [first] = await Promise.all(shared.slice(0, 2));
  await settled();
  expect([open.length, pool.used()]).toEqual([2, 4]);
  const own = await share();
  expect(pool.used()).toBe(5);
  first?.release();
  const third = await shared[2];
  for (const client of [third, own]) client?.release();
  for (const [, client] of open) client.release();
  (await shared[1])?.release();
  await settled();
  open[2]?.[1].release();
  expect([pool.used(), pool.most()]).toEqual([0, 5]);
});

test("a call that waits for too long fails, and takes no connection later", async () => {
  const pool = createPool(1);
  const open = start(pool.connect, ["a", "a"]);
  await settled();
  const late = asCaller("a", pool.connect);
  await expect(late).rejects.toThrow("too busy");
  for (const [, client] of open) client.release();
  await settled();
  expect(pool.used()).toBe(0);
  const next = await asCaller("a", pool.connect);
  next.release();
});

test("a call whose caller has left takes no connection", async () => {
  const pool = createPool();
  const open = start(pool.connect, ["a", "a"]);
  await settled();
  const caller = new AbortController();
  const connect = () => asCaller("a", pool.connect, () => caller.signal);
  const left = connect();
  caller.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  for (const [, client] of open) client.release();
  await expect(connect()).rejects.toThrow("left");
  expect(pool.used()).toBe(0);
});

test("a call whose caller leaves while it connects gives the connection back", async () => {
  const caller = new AbortController();
  let released = 0;
  const connect = shareConnections(
    () => {
      caller.abort(new Error("left"));
      return Promise.resolve({ release: () => void (released += 1) });
    },
    { ofCalls: 4, ofCaller: 2 },
  );
  const own = withSignal(() => caller.signal, connect);
  await expect(own).rejects.toThrow("left");
  expect(released).toBe(1);
});
