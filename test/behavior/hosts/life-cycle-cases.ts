import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { openStream } from "../../../runtime/typescript/client/stream.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { resumeAfter } from "../../../runtime/typescript/codegen/resume-stream.js";
import { createCaller, type Begun, type Call, type Caller } from "./caller.js";
import type { Eventually } from "./eventually.js";
import type { Feature } from "./features.js";
import type { StartedHost } from "./start-host.js";
import { startWire } from "./wire.js";

/** The numbers of open resources in the process of a host. */
export interface Open {
  readonly handlers: number;
  readonly streams: number;
  /** Timers of JavaScript, or goroutines. */
  readonly tasks: number;
  readonly sockets: number;
  /** Regular files, and those in the temporary folder of the process. */
  readonly files: number;
}

/** A host that runs, and a client of it. */
export interface Place extends Caller {
  readonly host: StartedHost;
  readonly open: () => Promise<Open>;
  readonly eventually: Eventually;
}

/** What a host does besides responding. */
export interface LifeCycleCase {
  readonly feature: Feature;
  readonly name: string;
  readonly run: (place: Place) => Promise<void>;
}

/** The number of requests that a method runs at the same time. */
const placeCount = 3;

const times = <T>(count: number, make: () => T): T[] =>
  Array.from({ length: count }, make);

/** Opens as many responses as a method has places. */
async function fill({ begin }: Caller, call: Call): Promise<Begun[]> {
  const begun = times(placeCount, () => begin(call));
  const opened = await Promise.all(begun.map(({ opened }) => opened));
  expect(opened.map(({ status }) => status)).toEqual(
    times(placeCount, () => 200),
  );
  return begun;
}

async function readStart({ opened }: Begun): Promise<void> {
  const { body } = await opened;
  const [part] = await once(body, "data");
  expect((part as Buffer).length).toBeGreaterThan(0);
  body.pause();
}

/** Expects all places of a method to be free soon. */
async function expectFree(
  { begin, eventually }: Place,
  call: Call,
): Promise<void> {
  for (let place = 1; place <= placeCount; place += 1) {
    await eventually(async () => {
      const begun = begin(call);
      const { status } = await begun.opened;
      if (status !== 200) begun.leave();
      return status;
    }, 200);
  }
}

const leftAfterStart = (method: string) => async (place: Place) => {
  const begun = await fill(place, { method });
  await Promise.all(begun.map(readStart));
  for (const { leave } of begun) leave();
  await expectFree(place, { method });
};

async function leaveCalls({ begin, eventually, open }: Place): Promise<void> {
  const call = { method: "Work/Sleep", fields: { ms: 60_000 } };
  const begun = times(placeCount, () => begin(call));
  await eventually(async () => (await open()).handlers, placeCount);
  for (const { leave } of begun) leave();
  await eventually(async () => (await open()).handlers, 0);
}

const neverRead = (method: string) => async (place: Place) => {
  await fill(place, { method });
  await expectFree(place, { method });
};

const boundary = "boundary";

/** The headers of a form. */
export const multipart: Readonly<Record<string, string>> = {
  "content-type": `multipart/form-data; boundary=${boundary}`,
};

/** Returns a form with one file of zeros. */
export function formOf(bytes: number): Uint8Array {
  const part = `--${boundary}\r\ncontent-disposition: form-data; name=`;
  return Buffer.concat([
    Buffer.from(`${part}"json"\r\n\r\n{}\r\n`),
    Buffer.from(`${part}"file"; filename="a"\r\n\r\n`),
    Buffer.alloc(bytes),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** Sends uploads that are not read, each followed by a small call. */
const refused =
  (method: string, status: number, bytes = 4_000_000) =>
  async ({ send }: Place) => {
    const body = formOf(bytes);
    for (let round = 0; round < 3; round += 1) {
      const [got] = await send({ method, body, headers: multipart });
      expect(got).toBe(status);
      expect(await send({ method: "Work/Ping" })).toEqual([200, "{}"]);
    }
  };

/** Sends the start of an upload. */
function beginUpload({ begin }: Caller): Begun {
  const body = formOf(4_000_000).subarray(0, 100_000);
  const upload = { method: "Work/Upload", body, headers: multipart };
  return begin({ ...upload, isUnfinished: true });
}

/** Leaves an upload whose handler runs. */
async function breakOff(place: Place): Promise<void> {
  const { eventually, open } = place;
  const { leave } = beginUpload(place);
  await eventually(async () => (await open()).handlers, 1);
  leave();
}

/** Leaves an upload that has reached the server. */
async function leaveUpload(place: Place): Promise<void> {
  const { eventually, host, open } = place;
  const before = host.socketCount();
  const { leave } = beginUpload(place);
  await eventually(
    async () => (await open()).sockets > before || host.isBehindProxy,
    true,
  );
  leave();
}

/** Sends calls at the same time, and returns how many got each status. */
async function countStatuses(
  { begin }: Caller,
  count: number,
  call: Call,
): Promise<Readonly<Record<number, number>>> {
  const opened = await Promise.all(
    times(count, () => begin(call)).map((begun) => begun.opened),
  );
  const counts: Record<number, number> = {};
  for (const { status } of opened) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Waits for three keep-alives of a stream that has nothing to send. */
async function staySilent({ begin, eventually }: Place): Promise<void> {
  const { body } = await begin({ method: "Work/WaitLong" }).opened;
  let text = "";
  body.on("data", (part: Buffer) => (text += part.toString()));
  const start = '\n{"n":1}\n\n\n\n';
  await eventually(() => text.slice(0, start.length), start, 60_000);
}

/** Expects whole responses, and a handler that gets a whole upload. */
async function transferAll({ send }: Caller): Promise<void> {
  expect(await send({ method: "Work/Ping" })).toEqual([200, "{}"]);
  const body = formOf(100_000);
  const upload = { method: "Work/Upload", body, headers: multipart };
  expect(await send(upload)).toEqual([200, '{"bytes":100000}']);
  const [status, file] = await send({ method: "Work/Read" });
  expect([status, file.length]).toEqual([200, 10_000]);
  const [, lines] = await send({ method: "Work/Count" });
  const numbers = Array.from({ length: 10 }, (_, at) => ({ n: at + 1 }));
  const items = lines.split("\n").filter((line) => line.startsWith('{"n"'));
  expect(items.map((line) => JSON.parse(line) as unknown)).toEqual(numbers);
}

/** Cuts the connection of a stream, which the client opens again. */
async function resumeStream({ host }: Place): Promise<void> {
  const wire = await startWire(host.port);
  const options = {
    baseUrl: `http://127.0.0.1:${String(wire.port)}`,
    fetch: (url: string, init: RequestInit) =>
      host.connect(wire.port).fetch(url, init),
  };
  const method = stream<object, { readonly n: number }, never>(
    "/rpc/Work/Follow",
    { resume: resumeAfter("after", "n") },
  );
  const got: number[] = [];
  try {
    const reconnect = { minDelayMs: 10 };
    for await (const { n } of openStream(options, method, {}, { reconnect })) {
      got.push(n);
      if (n === 3) wire.cut();
    }
  } finally {
    wire.close();
  }
  expect(got).toEqual(times(10, () => 0).map((_, at) => at + 1));
}

/** Expects a call that takes longer than its client waits to end. */
async function missDeadline({ eventually, open, send }: Place): Promise<void> {
  const call = { method: "Work/Sleep", fields: { ms: 60_000 } };
  const headers = { "request-timeout-ms": "200" };
  const [status] = await send({ ...call, headers });
  expect(status).toBe(504);
  await eventually(async () => (await open()).handlers, 0);
}

/** Longer than Node keeps idle connections open by default. */
const idleMs = 7000;

/** Calls twice over one connection, which is idle in between. */
async function stayIdle({ host }: Place): Promise<void> {
  if (host.isHttp2) return stayIdleOverHttp2(host);
  const socket = connect(host.port, "127.0.0.1").on("error", () => undefined);
  const closed = once(socket, "close").then(() => ["it is closed"]);
  const head = "POST /rpc/Work/Ping HTTP/1.1\r\nhost: a\r\n";
  const type = "content-type: application/json\r\ncontent-length: 2\r\n\r\n";
  for (const ms of [0, idleMs]) {
    await sleep(ms);
    socket.write(`${head}${type}{}`);
    const [data] = await Promise.race([once(socket, "data"), closed]);
    expect(String(data)).toMatch(/^HTTP\/1.1 200 /u);
  }
  socket.destroy();
}

/** The same over HTTP/2, whose client would open another connection. */
async function stayIdleOverHttp2(host: StartedHost): Promise<void> {
  const { close, send } = createCaller(host.port, true);
  const call = { method: "Work/Ping" };
  expect(await send(call)).toEqual([200, "{}"]);
  const before = host.socketCount();
  await sleep(idleMs);
  expect(host.socketCount()).toBe(before);
  expect(await send(call)).toEqual([200, "{}"]);
  close();
}

/** Starts one of everything that lasts, and expects SIGTERM to end it. */
async function stopBusy({
  begin,
  eventually,
  host,
  open,
  send,
}: Place): Promise<void> {
  await send({ method: "Work/Ping" });
  begin({ method: "Work/Sleep", fields: { ms: 60_000 } });
  for (const name of ["Tick", "Wait", "Flood", "Download"]) {
    await begin({ method: `Work/${name}` }).opened;
  }
  await eventually(async () => (await open()).handlers, 1);
  host.signal("SIGTERM");
  await eventually(host.isRunning, false);
}

/** Expects SIGTERM to end a process with a connection that is not HTTP. */
async function stopUpgraded({ eventually, host }: Place): Promise<void> {
  const socket = connect(host.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    "GET /socket HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n",
  );
  await once(socket, "data", { signal: AbortSignal.timeout(30_000) });
  host.signal("SIGTERM");
  await eventually(host.isRunning, false);
}

/** Begins a short call that is still running, however slow the machine is. */
async function beginShort({ begin, open }: Place): Promise<Begun> {
  for (;;) {
    const begun = begin({ method: "Work/Sleep", fields: { ms: 500 } });
    let isOver = false;
    const over = (): void => void (isOver = true);
    begun.opened.then(over, over);
    while (!isOver) if ((await open()).handlers === 1) return begun;
    await begun.opened;
    begun.leave();
  }
}

/** Expects a running call to be answered after SIGTERM. */
async function finishRunning(place: Place): Promise<void> {
  const { eventually, host } = place;
  const { opened } = await beginShort(place);
  host.signal("SIGTERM");
  const { body, status } = await opened;
  expect(status).toBe(200);
  body.resume();
  await eventually(host.isRunning, false);
}

/** Expects SIGTERM to end a process whose client does not read a response. */
async function stopUnread(place: Place): Promise<void> {
  const { eventually, host } = place;
  const { opened } = await beginShort(place);
  host.signal("SIGTERM");
  // Some hosts end before they respond.
  await opened.catch(() => undefined);
  await eventually(host.isRunning, false);
}

/** Every case. After each one, nothing may be open that was not open before. */
export const lifeCycleCases: readonly LifeCycleCase[] = [
  {
    feature: "whole",
    name: "calls, uploads, downloads and streams are complete",
    run: transferAll,
  },
  {
    feature: "resume",
    name: "a stream whose connection is cut resumes",
    run: resumeStream,
  },
  {
    feature: "deadline",
    name: "a call that misses its deadline ends",
    run: missDeadline,
  },
  {
    feature: "aborts",
    name: "a client that leaves a call aborts its signal",
    run: leaveCalls,
  },
  {
    feature: "left",
    name: "a client that leaves a stream frees its slot",
    run: leftAfterStart("Work/Tick"),
  },
  {
    feature: "left",
    name: "a client that leaves a quiet stream frees its slot",
    run: leftAfterStart("Work/Wait"),
  },
  {
    feature: "left",
    name: "a client that leaves a stream that never ends frees its slot",
    run: leftAfterStart("Work/Stay"),
  },
  {
    feature: "left",
    name: "a client that leaves a download frees its slot",
    run: leftAfterStart("Work/Download"),
  },
  {
    feature: "left",
    name: "a client that leaves an upload leaves nothing behind",
    run: leaveUpload,
  },
  {
    feature: "left",
    name: "a handler ends when its upload breaks off",
    run: breakOff,
  },
  {
    feature: "unread",
    name: "a stream that the client does not read frees its slot",
    run: neverRead("Work/Flood"),
  },
  {
    feature: "unread",
    name: "a download that the client does not read frees its slot",
    run: neverRead("Work/Download"),
  },
  {
    feature: "queue",
    name: "queued requests get responses",
    async run(place) {
      const call = { method: "Work/Queued", fields: { ms: 200 } };
      expect(await countStatuses(place, 6, call)).toEqual({ 200: 6 });
    },
  },
  {
    feature: "addresses",
    name: "one client address can be limited to one call",
    async run(place) {
      const call = { method: "Work/Alone", fields: { ms: 3000 } };
      const [counts, others] = await Promise.all([
        countStatuses(place, 5, call),
        countStatuses(place, 1, { ...call, from: "127.0.0.2" }),
      ]);
      expect([counts, others]).toEqual([{ 200: 1, 429: 4 }, { 200: 1 }]);
    },
  },
  {
    feature: "refused",
    name: "an upload without a credential leaves the connection usable",
    run: refused("Work/Guarded", 401),
  },
  {
    feature: "refused",
    name: "an upload to an unknown method leaves the connection usable",
    run: refused("Work/Unknown", 404),
  },
  {
    feature: "refused",
    name: "an upload that is too large leaves the connection usable",
    run: refused("Work/Upload", 413, 12_000_000),
  },
  {
    feature: "refused",
    name: "an upload that the handler does not read leaves the connection usable",
    run: refused("Work/Ignore", 200),
  },
  {
    feature: "silence",
    name: "a stream can be silent for longer than ten seconds",
    run: staySilent,
  },
  {
    feature: "silence",
    name: "a call can take longer than ten seconds",
    async run({ send }) {
      const call = { method: "Work/Sleep", fields: { ms: 15_000 } };
      expect(await send(call)).toEqual([200, "{}"]);
    },
  },
  {
    feature: "idle",
    name: "a connection can be idle for seven seconds",
    run: stayIdle,
  },
  {
    feature: "shutdown",
    name: "SIGTERM ends everything in time",
    run: stopBusy,
  },
  {
    feature: "shutdown",
    name: "SIGTERM ends connections with another protocol in time",
    run: stopUpgraded,
  },
  {
    feature: "shutdown",
    name: "SIGTERM ends connections with an unread response in time",
    run: stopUnread,
  },
  {
    feature: "finish",
    name: "SIGTERM lets running calls finish",
    run: finishRunning,
  },
];
