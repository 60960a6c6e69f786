import { setTimeout as sleep } from "node:timers/promises";

import type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "@ridlkit/runtime/server";
import { expect, test, vi } from "vitest";

import { withWaitingRoom } from "../../http/waiting-room.js";
import {
  createTestProject,
  headersOf,
  servePlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

/** A server with so many places, whose answers are given by hand. */
function createSlowServer(places: number) {
  const open: { readonly target: string; readonly answer: () => void }[] = [];
  const refused: string[] = [];
  const answerOf = (status: number): ServerResponse => {
    return { status, headers: {}, body: "" };
  };
  const handle = (request: ServerRequest): Promise<ServerResponse> => {
    const { target } = request;
    if (open.length >= places) {
      refused.push(target);
      return Promise.resolve(answerOf(503));
    }
    return new Promise((resolve) => {
      const call = {
        target,
        answer: () => {
          open.splice(open.indexOf(call), 1);
          resolve(answerOf(200));
        },
      };
      open.push(call);
    });
  };
  const fetch = (): Promise<Response> => Promise.reject(new Error("unused"));
  const server: RpcServer = { handle, fetch, matches: () => true };
  return { server, open, refused };
}

function requestOf(target: string, signal?: AbortSignal): ServerRequest {
  const unread = (): never => {
    throw new Error("nobody reads it");
  };
  return {
    ...{ method: "POST", target, header: () => null },
    ...{ text: unread, chunks: unread },
    signal: () => signal ?? new AbortController().signal,
  };
}

const statusOf = async (answer: Promise<ServerResponse>): Promise<number> =>
  (await answer).status;

test("who finds no place waits for one, the oldest first", async () => {
  const { server, open, refused } = createSlowServer(2);
  let waiting = 0;
  const limits = { running: 2, waiting: 9, waitMs: 60_000 };
  const room = withWaitingRoom(server, limits, (change) => (waiting += change));
  const answers = ["a", "b", "c", "d"].map((name) =>
    room.handle(requestOf(name)),
  );
  expect(open.map(({ target }) => target)).toEqual(["a", "b"]);
  expect(waiting).toBe(2);
  open[1]?.answer();
  expect(await statusOf(answers[1] ?? fail())).toBe(200);
  expect(open.map(({ target }) => target)).toEqual(["a", "c"]);
  while (open.length > 0) {
    for (const { answer } of [...open]) answer();
    await sleep(0);
  }
  expect(await Promise.all(answers.map(statusOf))).toEqual([
    ...[200, 200, 200, 200],
  ]);
  expect([waiting, refused]).toEqual([0, []]);
});

test("nobody waits longer than that, and not more than so many", async () => {
  vi.useFakeTimers();
  try {
    const { server, open, refused } = createSlowServer(1);
    const limits = { running: 1, waiting: 2, waitMs: 500 };
    const room = withWaitingRoom(server, limits);
    const [first, early, late, crowd] = ["a", "b", "c", "d"].map((name) =>
      room.handle(requestOf(name)),
    );
    expect(await statusOf(crowd ?? fail())).toBe(503);
    expect(refused).toEqual(["d"]);
    await vi.advanceTimersByTimeAsync(499);
    expect(refused).toEqual(["d"]);
    open[0]?.answer();
    expect(await statusOf(first ?? fail())).toBe(200);
    await vi.advanceTimersByTimeAsync(1);
    expect(await statusOf(late ?? fail())).toBe(503);
    expect(refused).toEqual(["d", "c"]);
    open[0]?.answer();
    expect(await statusOf(early ?? fail())).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});

test("who goes away while waiting takes no place", async () => {
  const { server, open } = createSlowServer(1);
  const limits = { running: 1, waiting: 9, waitMs: 60_000 };
  const room = withWaitingRoom(server, limits);
  const caller = new AbortController();
  const first = room.handle(requestOf("a"));
  void room.handle(requestOf("b", caller.signal));
  const last = room.handle(requestOf("c"));
  caller.abort();
  open[0]?.answer();
  expect(await statusOf(first)).toBe(200);
  expect(open.map(({ target }) => target)).toEqual(["c"]);
  open[0]?.answer();
  expect(await statusOf(last)).toBe(200);
});

test("a platform with one place answers all that come at once", async () => {
  const { call, store } = servePlatform(database, {
    concurrency: { running: 1, waiting: 10, waitMs: 20_000 },
  });
  const { id, ...keys } = await createTestProject(store);
  const list = () =>
    call("/rpc/Builder/ListAudiences", headersOf(keys), { projectId: id });
  const answers = await Promise.all(Array.from({ length: 8 }, list));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test("a platform whose waiting room is full says when to come back", async () => {
  const { call, store } = servePlatform(database, {
    concurrency: { running: 1, waiting: 0, waitMs: 0 },
  });
  const { id, ...keys } = await createTestProject(store);
  const list = () =>
    call("/rpc/Builder/ListAudiences", headersOf(keys), { projectId: id });
  const [first, second] = await Promise.all([list(), list()]);
  expect([first.status, second.status]).toEqual([200, 503]);
  expect(second.headers.get("retry-after")).toBe("1");
});

function fail(): never {
  throw new Error("there is one");
}
