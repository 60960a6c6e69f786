import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { runs } from "../../support/draw-some.js";
import { createCaller, type Caller } from "./caller.js";
import { eventually } from "./eventually.js";
import { hosts, type Host } from "./hosts.js";
import { startHost, type StartedHost } from "./start-host.js";

const onNode = hosts.filter(({ name }) =>
  ["node:http", "node:http with fetch"].includes(name),
);

async function start(
  host: Host,
  create: string,
): Promise<{ readonly started: StartedHost; readonly caller: Caller }> {
  const started = await startHost(host, {
    contract: "test/behavior/hosts/app/life-cycle.ridl",
    module: "test/behavior/hosts/app/life-cycle-server.ts",
    create,
  });
  const caller = createCaller(started.port, false);
  onTestFinished(async () => {
    caller.close();
    await started.close();
  });
  return { started, caller };
}

/** Opens connections that send a request and read nothing. */
function attack(
  { port }: StartedHost,
  count: number,
  method: string,
): Promise<readonly Socket[]> {
  const request =
    `POST /rpc/Work/${method} HTTP/1.1\r\nhost: a\r\nx-tenant: greedy\r\n` +
    "content-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, "127.0.0.1");
      // The server may cut off these connections.
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(request);
      return socket;
    }),
  );
}

/**
 * Calls a method 3,000 times as another tenant, which takes longer than the
 * server needs to reject the first requests of 2,000 connections. Returns the
 * 99th percentile of the durations in milliseconds.
 */
async function measure({ send }: Caller, method: string): Promise<number> {
  const times: number[] = [];
  for (let done = 0; done < 3000; done += 1) {
    const startedAt = performance.now();
    const headers = { "x-tenant": "other" };
    const [status] = await send({ method: `Work/${method}`, headers });
    expect(status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  times.sort((left, right) => left - right);
  return times[2969] ?? Infinity;
}

/** A call, a stream and a file: how to attack and how to use the server. */
const kinds = [
  ["Large", "Ping"],
  ["Flood", "Count"],
  ["Download", "Read"],
] as const;

const counts = runs > 1 ? [2, 2000] : [2000];

describe.each(onNode)("clients that read nothing, on $name,", (host) => {
  it.each(kinds)(
    "give back both slots of a server (%s)",
    async (greedy, use) => {
      const { caller, started } = await start(host, "createSmall");
      const sockets = await attack(started, 2, greedy);
      await eventually(
        async () => (await caller.send({ method: `Work/${use}` }))[0],
        200,
      );
      for (const socket of sockets) socket.destroy();
    },
  );

  it.each(
    kinds.flatMap(([greedy, use]) =>
      counts.map((count) => [greedy, count, use] as const),
    ),
  )(
    "do not delay another tenant (%s, %i connections)",
    async (greedy, count, use) => {
      const { caller, started } = await start(host, "createShared");
      const before = await measure(caller, use);
      const sockets = await attack(started, count, greedy);
      const during = await measure(caller, use);
      // The server ends what nobody reads, and no request waits for a slot.
      const call = {
        method: `Work/${use}`,
        headers: { "x-tenant": "greedy" },
      };
      await eventually(async () => (await caller.send(call))[0], 200);
      for (const socket of sockets) socket.destroy();
      const after = await measure(caller, use);
      const report = [before, during, after].map((ms) => ms.toFixed(2));
      console.log(
        `${host.name}, ${greedy}, ${String(count)}: p99 ${report.join(", ")} ms`,
      );
      // A busy machine delays calls, too.
      const maxMs = Math.max(2 * Math.max(before, after), 100);
      expect(during).toBeLessThan(maxMs);
    },
  );
});
