import { EventEmitter } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { acceptFirst } from "../../http/accept-first.js";

const callers = 60;
const workMs = 1;
const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

function work(): void {
  const end = performance.now() + workMs;
  while (performance.now() < end);
}

/**
 * Opens all connections at once, and repeats the request on each answered one
 * until all of them have a response. Output: the number of responses.
 */
async function countUntilAllAnswered(port: number): Promise<number> {
  let count = 0;
  const answered = new Set<Socket>();
  const call = (): void => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    onTestFinished(() => void socket.destroy());
    socket.on("data", () => {
      count += 1;
      answered.add(socket);
      if (answered.size < callers) socket.write(request);
    });
  };
  for (let index = 0; index < callers; index += 1) call();
  while (answered.size < callers) await turn();
  return count;
}

test("answers new connections before repeated requests", async () => {
  const server = createServer();
  const start = acceptFirst(server);
  server.on("request", (_, response) => {
    start(() => {
      work();
      response.end("done");
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  const port = typeof bound === "object" ? (bound?.port ?? 0) : 0;
  // Without the platform's delay, Node answers more than ten times as many
  // repeated requests.
  expect(await countUntilAllAnswered(port)).toBeLessThan(4 * callers);
});

test("delays requests only while connections arrive, and for at most half a second", async () => {
  const server = new EventEmitter();
  const start = acceptFirst(server);
  let started = 0;
  const count = (): void => void (started += 1);
  start(count);
  expect(started).toBe(1);
  server.emit("connection");
  start(count);
  expect(started).toBe(1);
  await turn();
  await turn();
  expect(started).toBe(2);

  const now = vi.spyOn(performance, "now").mockReturnValue(1000);
  onTestFinished(() => now.mockRestore());
  const connectFor = async (turns: number): Promise<void> => {
    for (let index = 0; index < turns; index += 1) {
      server.emit("connection");
      await turn();
    }
  };
  await connectFor(1);
  start(count);
  await connectFor(20);
  expect(started).toBe(2);
  now.mockReturnValue(1501);
  await connectFor(1);
  expect(started).toBe(3);
});
