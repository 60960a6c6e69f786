import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { createServer, type RequestListener } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import type { Outcome } from "../../../runtime/typescript/server/server.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { openMessages, serveMessages, subscribeTo } from "./messages-server.js";

/** Calls `watch`. Returns what has been received, and the connection. */
async function openWatchers(listener: RequestListener, count: number) {
  const { port } = await listenForTest(createServer(listener));
  const body = '{"room":"lobby"}';
  const lines = [
    "POST /rpc/Chat/Watch HTTP/1.1",
    "host: localhost",
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  const open = (_: unknown, index: number) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write([...lines, `x-caller: ${index}`, "", body].join("\r\n")),
    );
    let text = "";
    socket.on("data", (data) => (text += String(data)));
    onTestFinished(() => void socket.destroy());
    return { socket, read: () => text };
  };
  const watchers = Array.from({ length: count }, open);
  const arrive = (text: string) =>
    vi.waitUntil(() => watchers.every(({ read }) => read().includes(text)), {
      timeout: 10_000,
    });
  return { arrive, watchers };
}

it("needs no promise for each item of a subscriber", async () => {
  const log = openMessages();
  const handler = toNodeHandler(serveMessages(subscribeTo(log)));
  const { arrive, watchers } = await openWatchers(handler, 50);
  await log.publish("lobby", "first");
  await arrive("first");
  let promises = 0;
  const hook = createHook({
    init: (_, type) => (promises += type === "PROMISE" ? 1 : 0),
  });
  onTestFinished(() => void hook.disable());
  const items = 20;
  hook.enable();
  for (let index = 0; index < items; index += 1) {
    await log.publish("lobby", `text ${index}`);
    await arrive(`text ${index}`);
  }
  // Publishing and waiting need some for each item.
  expect(promises).toBeLessThan(watchers.length * items);
});

it("tells observers that a client has left, whatever notices it first", async () => {
  const log = openMessages();
  const outcomes: Outcome[] = [];
  const observe = () => (outcome: Outcome) => void outcomes.push(outcome);
  const server = serveMessages(
    ({ room }, { signal }) => {
      const own = new AbortController();
      signal.addEventListener("abort", () => own.abort());
      return log.subscribe(room, { signal: own.signal });
    },
    { observe },
  );
  const { arrive, watchers } = await openWatchers(toNodeHandler(server), 1);
  await log.publish("lobby", "first");
  await arrive("first");
  for (const { socket } of watchers) socket.destroy();
  await vi.waitUntil(() => outcomes.length > 0);
  expect(outcomes).toMatchObject([{ error: "WebrpcClientDisconnected" }]);
});

it("places items in the context of a subscriber, not of the publisher", async () => {
  const caller = new AsyncLocalStorage<string>();
  const seen = new Set<string>();
  const log = openMessages(() => seen.add(String(caller.getStore())));
  const handler = toNodeHandler(serveMessages(subscribeTo(log)));
  const { arrive } = await openWatchers((request, response) => {
    const name = String(request.headers["x-caller"]);
    caller.run(name, () => handler(request, response));
  }, 3);
  for (let index = 0; index < 5; index += 1) {
    await caller.run("publisher", () => log.publish("lobby", `text ${index}`));
    await arrive(`text ${index}`);
  }
  expect(["0", "1", "2"]).toEqual(expect.arrayContaining([...seen]));
});

it("calls `next` of a subscription that is in use or was changed", async () => {
  const log = openMessages();
  const { signal } = new AbortController();
  const used = log.subscribe("lobby", { signal });
  const first = used.next();
  const changed = log.subscribe("lobby", { signal });
  const next = changed.next.bind(changed);
  changed.next = async () => {
    const step = await next();
    if (step.done === true) return step;
    const text = step.value.text.toUpperCase();
    return { done: false, value: { ...step.value, text } };
  };
  const given = [used, changed];
  const handler = toNodeHandler(
    serveMessages(() => given.shift() ?? log.subscribe("lobby", { signal })),
  );
  const { watchers } = await openWatchers(handler, 2);
  await vi.waitUntil(() => given.length === 0);
  await log.publish("lobby", "first");
  await log.publish("lobby", "second");
  expect((await first).value).toMatchObject({ text: "first" });
  await vi.waitUntil(() => watchers.some(({ read }) => /second/u.test(read())));
  await vi.waitUntil(() => watchers.some(({ read }) => /SECOND/u.test(read())));
  const texts = watchers.map(({ read }) => read());
  expect(texts.filter((text) => text.includes("FIRST"))).toHaveLength(1);
  expect(texts.filter((text) => text.includes("first"))).toHaveLength(0);
});
