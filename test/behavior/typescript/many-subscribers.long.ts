import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";

/** With `RIDLKIT_RUNS=5`: 10,000 subscribers. */
const count = Math.min(10_000, 2000 * Number(process.env["RIDLKIT_RUNS"] ?? 3));

/** A message to the server, and its answer. */
async function ask(child: ChildProcess, message: object): Promise<number> {
  child.send(message);
  const [answer] = await once(child, "message");
  return Number(answer);
}

/** Subscribes after a cursor, and calls a function with each text. */
async function subscribe(
  port: number,
  since: number | undefined,
  onText: (text: string) => void,
): Promise<Socket> {
  const socket = connect(port, "localhost");
  await once(socket, "connect");
  const body = JSON.stringify({ room: "lobby", since });
  socket.write(
    `POST /rpc/Chat/Watch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  let rest = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const text = /"text":"([^"]*)"/.exec(line)?.[1];
      if (text !== undefined) onText(text);
    }
  });
  return socket;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

test(`one of ${count} subscribers that does not read slows no other, and needs no memory`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "subscribers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "server.mjs");
  await build({
    entryPoints: ["test/behavior/typescript/subscriber-server.ts"],
    outfile: program,
    ...{ bundle: true, platform: "node", format: "esm", logLevel: "error" },
  });
  const child = fork(program, { execArgv: ["--expose-gc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [first] = await once(child, "message");
  const port = Number(first);
  // 20 MB, which is more than any socket takes.
  const last = await ask(child, { publish: 5000, size: 4000 });

  const delays: number[] = [];
  const onText = (text: string): void => {
    delays.push(Date.now() - Number(text.slice(0, 13)));
  };
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((each) => each.destroy()));
  while (sockets.length < count - 1) {
    const size = Math.min(100, count - 1 - sockets.length);
    const opening = Array.from({ length: size }, () =>
      subscribe(port, last, onText),
    );
    sockets.push(...(await Promise.all(opening)));
  }
  /** Publishes items one by one, and returns how late they arrived. */
  const measure = async (): Promise<number> => {
    delays.length = 0;
    for (let item = 1; item <= 20; item += 1) {
      await ask(child, { publish: 1, size: 20 });
      const all = item * (count - 1);
      await expect.poll(() => delays.length, { interval: 5 }).toBe(all);
    }
    return percentile(delays, 0.99);
  };
  await measure();
  const without = await measure();
  const heap = await ask(child, { heap: true });
  const slow = await subscribe(port, undefined, () => undefined);
  slow.pause();
  sockets.push(slow);
  const filling = await measure();
  // Its socket is full now.
  const beside = await measure();
  const later = await ask(child, { heap: true });
  console.log(
    `${count} subscribers: p99 ${without} ms, beside one that does not read ${beside} ms; heap ${Math.round(heap / 2 ** 20)} MiB, then ${Math.round(later / 2 ** 20)} MiB`,
  );
  expect(filling).toBeLessThan(4 * Math.max(without, 20));
  expect(beside).toBeLessThan(2 * Math.max(without, 20));
  // The items of the slow reader alone would be 20 MB.
  expect(later - heap).toBeLessThan(8 * 2 ** 20);
}, 600_000);
