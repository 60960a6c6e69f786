import { once } from "node:events";
import { Agent, type IncomingMessage, request as sendRequest } from "node:http";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createBodyLimits } from "../../../runtime/typescript/server/model/body-pace.js";
import { FetchRequest } from "../../../runtime/typescript/server/fetch-request.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { hosts, listenerHost, type Running } from "./hosts.js";
import { plainRow, sampleErrors } from "./sample-server.js";

const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

const credential = {
  header: "X-Key",
  scheme: null,
  error: sampleErrors.AccessKeyNotFound,
  verify: "verifyKey",
} as const;

/** A server that refuses requests before it reads them. */
const options = {
  maxBodyBytes: 100,
  handlers: { api: { guarded: () => ({}), read: () => ({}) } },
  verifyKey: () => false,
};
const server = createServer(options, [
  {
    ...plainRow,
    service: "API",
    name: "Guarded",
    handler: ["api", "guarded"],
    route: { kind: "rpc", path: "/rpc/API/Guarded" },
    credentials: [credential],
  },
  {
    ...plainRow,
    service: "API",
    name: "Read",
    handler: ["api", "read"],
    route: { kind: "rpc", path: "/rpc/API/Read" },
  },
]);

const overHttp = [...hosts, listenerHost].filter(
  ({ name }) => name !== "fetch",
);

describe.each(overHttp)("$name", ({ start }) => {
  it.each([
    ["Guarded", 401],
    ["Read", 413],
    ["Unknown", 404],
  ])(
    "serves the next request of a connection after it refuses a body for %s",
    async (method, status) => {
      const host = await start(server);
      running.push(host);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const post = async (body: string): Promise<unknown> => {
        const outgoing = sendRequest({
          ...{ port: host.port, agent, method: "POST" },
          path: `/rpc/API/${method}`,
          headers: { "content-type": "application/json" },
        });
        // Without a declared length, the server has to read to find the end.
        outgoing.write(body);
        outgoing.end();
        const [incoming] = (await once(outgoing, "response")) as [
          IncomingMessage,
        ];
        incoming.resume();
        await once(incoming, "end");
        return [incoming.statusCode, outgoing.reusedSocket];
      };
      const long = "x".repeat(3_000_000);
      // A response waits only for a second until the body has arrived.
      const postAll = async (): Promise<unknown> => {
        try {
          return [await post(long), await post(long), await post("{}")];
        } catch (error) {
          return error;
        }
      };
      await post("{}");
      await expect.poll(postAll).toEqual([
        [status, true],
        [status, true],
        [method === "Read" ? 200 : status, true],
      ]);
    },
  );
});

describe("the unread body of a web request", () => {
  it("is discarded before the response", async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent < 100) controller.enqueue(new Uint8Array(1000));
        else controller.close();
      },
    });
    const init = { method: "POST", body, duplex: "half" } as const;
    const url = "http://host/rpc/API/Unknown";
    const answer = await server.fetch(new Request(url, init));
    expect([answer.status, sent]).toEqual([404, 100]);
  });

  it("does not delay the response for ever", async () => {
    const isCancelled = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => undefined),
      cancel: isCancelled,
    });
    const init = { method: "POST", body, duplex: "half" } as const;
    const url = "http://host/rpc/API/Unknown";
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const answer = server.fetch(new Request(url, init));
    await vi.advanceTimersByTimeAsync(1000);
    expect((await answer).status).toBe(404);
    await vi.advanceTimersByTimeAsync(9000);
    expect(isCancelled).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("leaves no timer if the client of a web request goes away", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const limits = { ...createBodyLimits(1000), timeoutMs: 5_000 };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("gone")),
  });
  const init = { method: "POST", body, duplex: "half" } as const;
  const request = new FetchRequest(new Request("http://a/", init), null, null);
  await expect(request.text(limits)).rejects.toThrow("client disconnected");
  expect(vi.getTimerCount()).toBe(0);
});
