import { createServer, type Socket } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { silent } from "../support/test-database.js";
import { waitUntilReady } from "../../database/wait-until-ready.js";

/** Starts a server that answers the connections with these in turn. */
async function startServer(
  answer: (connections: number, socket: Socket) => void,
): Promise<string> {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer((connections += 1), socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = Object(server.address());
  return `postgres://user@127.0.0.1:${port}/postgres`;
}

/** Ends a connection as PostgreSQL does while it replays its log. */
function say(code: string, socket: Socket, message = "not yet"): void {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
  socket.end(Buffer.concat([head, fields]));
}

/** AuthenticationOk and ReadyForQuery. */
const ready = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);

const running = { isOver: false };
const patience = { log: silent, silentMs: 100 };

test("waits for a database for as long as it says that it is starting", async () => {
  const url = await startServer((connections, socket) => {
    if (connections < 20) say("57P03", socket);
    else socket.write(ready);
  });
  // Twenty attempts take at least 475 ms.
  expect(
    await waitUntilReady(running, url, { ...patience, silentMs: 400 }),
  ).toBe(true);
});

test.each(["28P01", "53300"])("gives up after %s", async (code) => {
  const url = await startServer((_, socket) => say(code, socket));
  expect(await waitUntilReady(running, url, patience)).toBe(false);
});

test("gives up at once when the server has exited", async () => {
  const url = await startServer((_, socket) => say("57P03", socket));
  expect(await waitUntilReady({ isOver: true }, url, patience)).toBe(false);
});

test.each(["shutting down", "not accepting connections"])(
  "gives up on a server that is %s",
  async (state) => {
    const message = `the database system is ${state}`;
    const url = await startServer((_, socket) => say("57P03", socket, message));
    expect(await waitUntilReady(running, url, patience)).toBe(false);
  },
);

test("gives up on a server that does not answer", async () => {
  const url = await startServer(() => undefined);
  expect(await waitUntilReady(running, url, patience)).toBe(false);
});

test("gives up when it is told to", async () => {
  const stopping = new AbortController();
  const url = await startServer((connections, socket) => {
    if (connections === 3) stopping.abort();
    say("57P03", socket);
  });
  const { signal } = stopping;
  expect(await waitUntilReady(running, url, { ...patience, signal })).toBe(
    false,
  );
});
