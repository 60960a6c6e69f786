import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { hosts, listenerHost, type Running } from "./hosts.js";
import { createSampleServer } from "./sample-server.js";

const running: Running[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

const overHttp = [...hosts, listenerHost].filter(
  ({ name }) => name !== "fetch",
);
const maxBodyBytes = 100_000;

/** Sends a part of a body. */
function start(port: number | undefined, sent: number, declared?: number) {
  const outgoing = request({
    port,
    path: "/rpc/API/Echo",
    method: "POST",
    agent: false,
    headers: {
      "content-type": "application/json",
      ...(declared !== undefined && { "content-length": declared }),
    },
  });
  outgoing.on("error", () => {});
  outgoing.write(`{"a":"${"x".repeat(sent - 6)}`);
  return outgoing;
}

async function statusOf(outgoing: ClientRequest): Promise<unknown> {
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  incoming.resume();
  return [incoming.statusCode, incoming.headers["retry-after"]];
}

describe.each(overHttp)("bodies in memory on $name", (host) => {
  it("do not hide that one of them is too large", async () => {
    const limits = { maxConcurrent: 1, maxBodyBytes };
    const server = await host.start(createSampleServer(limits));
    running.push(server);
    const call = start(server.port, 2 * maxBodyBytes);
    call.end('xxxxxxxx"}');
    expect(await statusOf(call)).toEqual([413, undefined]);
  });

  it.each([undefined, maxBodyBytes])(
    "are limited to those of the calls that can run, of length %s",
    async (declared) => {
      const limits = { maxConcurrent: 2, maxBodyBytes, bodyTimeoutMs: 120_000 };
      const server = await host.start(createSampleServer(limits));
      running.push(server);
      const sent = maxBodyBytes - 10;
      const calls = Array.from({ length: 8 }, () =>
        start(server.port, sent, declared),
      );
      const answers: unknown[] = [];
      const all = calls.map(async (call) => {
        answers.push(await statusOf(call));
      });
      await expect.poll(() => answers.length).toBeGreaterThanOrEqual(6);
      expect(answers).toEqual(answers.map(() => [503, expect.any(String)]));
      for (const call of calls) call.end('xxxxxxxx"}');
      await Promise.all(all);
      const later = answers.slice(6).map((each) => [each].flat()[0]);
      // Several can be refused at the same moment, but not all.
      expect(later.filter((status) => status !== 503)).toEqual(
        expect.arrayContaining([200]),
      );
      // All memory is free again.
      for (let i = 0; i < 4; i += 1) {
        const call = start(server.port, sent);
        call.end('"}');
        expect(await statusOf(call)).toEqual([200, undefined]);
      }
    },
  );
});
