import { afterEach, expect, it, vi } from "vitest";
import {
  pgConnection,
  type PgClient,
  postgresAnswers,
} from "../../../runtime/typescript/server/idempotency.js";
import { guardHandle } from "../../../runtime/typescript/server/idempotency/guard-handle.js";
import type { RequestFacts } from "../../../runtime/typescript/server/server.js";

afterEach(() => {
  vi.useRealTimers();
});

function contextOf(timeoutMs: number): RequestFacts {
  const values = new Map<unknown, unknown>();
  return Object.assign(Object.create(null), {
    get: (key: unknown) => values.get(key),
    remainingMs: () => timeoutMs,
    set: (key: unknown, value: unknown) => void values.set(key, value),
  });
}

/** A pool of one client, one of whose statements hangs. */
function openPool(hanging: string) {
  const sent: string[] = [];
  const released: boolean[] = [];
  let letGo: () => void = () => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const client: PgClient = {
    query: async (text) => {
      sent.push(text.split(" ", 1).join());
      if (text.startsWith(hanging)) await gate;
      const rows = [{ ok: true }];
      return { command: "", rows: text.includes("answers\n") ? [] : rows };
    },
    on: () => undefined,
    release: (closes) => void released.push(closes),
  };
  const pool = {
    connect: () => Promise.resolve(client),
    on: () => undefined,
    options: { max: 2 },
  };
  return { pool, released, sent, letGo: () => letGo() };
}

it("rejects a pool that has no connection left for handlers", () => {
  const pool = { ...openPool("").pool, options: { max: 1 } };
  expect(() => pgConnection(pool)).toThrow("need a second connection");
  expect(() => pgConnection(pool, { maxConnections: 1 })).not.toThrow();
});

it.each([
  ["timeout exceeded when trying to connect", { status: 503 }],
  ["the password is wrong", { message: "the password is wrong" }],
])("reports a pool that fails with: %s", async (text, failure) => {
  const { pool } = openPool("");
  const connect = () => Promise.reject(new Error(text));
  const answers = postgresAnswers(pgConnection({ ...pool, connect }));
  const joining = answers.join(contextOf(1000), async () => null);
  await expect(joining).rejects.toMatchObject(failure);
});

it.each(["SAVEPOINT", "INSERT", "SELECT"])(
  "gives the connection back if a statement hangs: %s",
  async (hanging) => {
    const { letGo, pool, released, sent } = openPool(hanging);
    const answers = postgresAnswers(pgConnection(pool), { graceMs: 10 });
    const context = contextOf(1e9);
    const call = { id: "a", keepMs: 1000, timeoutMs: 10, context };
    const answer = { text: "", isError: false };
    const run = () => Promise.resolve(answer);
    await expect(answers.once(call, run)).rejects.toThrow("took too long");
    expect(released).toEqual([false]);
    const count = sent.push("RELEASED");
    letGo();
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent.slice(count)).toEqual([]);
  },
);

it("refuses a call with 503 if its transaction does not begin", async () => {
  const { pool, released } = openPool("BEGIN");
  vi.useFakeTimers();
  const connection = pgConnection(pool, { queueMs: 0 });
  const run = connection.transaction(() => Promise.resolve(1), contextOf(9));
  const refused = expect(run).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(1999);
  expect(released).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await refused;
  expect(released).toEqual([false]);
});

it("closes a connection that does not commit", async () => {
  const { pool, released } = openPool("COMMIT");
  vi.useFakeTimers();
  const connection = pgConnection(pool);
  const run = connection.transaction(() => Promise.resolve(1), contextOf(9));
  const failed = expect(run).rejects.toThrow("did not commit in time");
  await vi.advanceTimersByTimeAsync(30_000);
  await failed;
  expect(released).toEqual([false]);
});

it("guards a client with functions that have members", async () => {
  let isOpen = true;
  const count = Object.assign((text: string) => `count ${text}`, {
    all: () => "all",
  });
  const handle = { count, schema: "a" };
  const client = guardHandle(handle, () => isOpen);
  expect([client.count("x"), client.count.all()]).toEqual(["count x", "all"]);
  client.schema = "b";
  expect([client.schema, handle.schema]).toEqual(["b", "a"]);
  // As programs do that log the statements of a client.
  const { count: plain } = client;
  client.count = Object.assign((text: string) => plain(`${text}!`), count);
  expect([client.count("x"), handle.count("x")]).toEqual([
    "count x!",
    "count x",
  ]);
  isOpen = false;
  expect(() => client.count("x")).toThrow("has ended");
});
