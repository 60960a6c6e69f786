import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { createSampleServer } from "./sample-server.js";

/** Objects of the platform that servers create, and costly calls into it. */
const counted = [
  ...["AbortController", "Blob", "Headers", "ReadableStream", "Request"],
  ...["Response", "TextDecoder", "TextEncoder", "URL", "URLSearchParams"],
] as const;

const path = "/rpc/API/Echo";
const body = '{"a":1}';
const warmUpCalls = 20;
const calls = 10;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Returns what one call creates and starts, without what is 0. */
async function costsOf(
  call: () => Promise<void>,
): Promise<Record<string, number>> {
  for (let index = 0; index < warmUpCalls; index += 1) await call();
  const counts = new Map<string, number>();
  const count = (name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1 / calls);
  };
  for (const name of counted) {
    const Original: new (...args: never[]) => object = Object(globalThis)[name];
    vi.stubGlobal(
      name,
      new Proxy(Original, {
        construct: (target, args, self) => {
          count(name);
          return Reflect.construct(target, args, self);
        },
      }),
    );
  }
  const timers = vi.spyOn(globalThis, "setTimeout");
  const listeners = vi.spyOn(EventTarget.prototype, "addEventListener");
  for (let index = 0; index < calls; index += 1) await call();
  const started = {
    setTimeout: timers.mock.calls.length / calls,
    addEventListener: listeners.mock.calls.length / calls,
  };
  return Object.fromEntries(
    [...counts, ...Object.entries(started)]
      .map(([name, value]) => [name, Math.round(value * 100) / 100] as const)
      .filter(([, value]) => value > 0),
  );
}

// Whoever raises a number says in the commit what it buys.

it("a call of fetch creates a response, and listens to its request", async () => {
  const { fetch } = createSampleServer();
  const headers = { "content-type": "application/json" };
  const requests = Array.from(
    { length: warmUpCalls + calls },
    () => new Request(`http://host${path}`, { method: "POST", headers, body }),
  );
  const costs = await costsOf(async () => {
    const [request] = requests.splice(0, 1);
    if (request === undefined) throw new Error("no request is left");
    expect(await (await fetch(request)).text()).toBe(body);
  });
  // The stream is that of Node's response.
  const own = { Response: 1, addEventListener: 1 };
  expect(costs).toEqual({ ...own, ReadableStream: 1 });
});

it("a call of the native adapter creates nothing", async () => {
  const server = createServer(toNodeHandler(createSampleServer()));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const ask = [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
  const costs = await costsOf(async () => {
    socket.write(ask);
    let answer = "";
    while (!answer.endsWith(body)) {
      answer += await new Promise<string>((resolve) => {
        socket.once("data", (data) => resolve(data.toString()));
      });
    }
    expect(answer).toMatch(/^HTTP\/1.1 200 /u);
  });
  expect(costs).toEqual({});
});
