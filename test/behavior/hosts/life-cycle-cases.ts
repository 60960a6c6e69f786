import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "vitest";
import type { Begun, Call, Caller } from "./caller.js";
import type { Eventually } from "./eventually.js";
import type { Feature } from "./features.js";
import type { StartedHost } from "./start-host.js";

/** The numbers of open resources in the process of a host. */
export interface Open {
  readonly handlers: number;
  readonly streams: number;
  readonly timers: number;
  readonly sockets: number;
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

/** Sends half of an upload, and leaves. */
async function breakOff({ begin, eventually, open }: Place): Promise<void> {
  const body = formOf(4_000_000).subarray(0, 100_000);
  const { leave } = begin({
    method: "Work/Upload",
    body,
    headers: multipart,
    isUnfinished: true,
  });
  await eventually(async () => (await open()).handlers, 1);
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
      expect(await countStatuses(place, 5, call)).toEqual({ 200: 1, 429: 4 });
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
    run: refused("Work/Upload", 400, 12_000_000),
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
