import { afterEach, describe, expect, it, vi } from "vitest";
import { composeServers } from "../../../runtime/typescript/server/server.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { hosts, run } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { createServer as createHttp } from "node:http";
import { toNodeListener } from "../../../runtime/typescript/hosts/node/node-listener.js";
import {
  createSampleServer,
  sampleErrors,
  sampleMethods,
  type SampleOptions,
  sampleOptions,
} from "./sample-server.js";
import {
  builtInErrors,
  fromEnvelope,
  RpcError,
} from "../../../runtime/typescript/wire/errors.js";

afterEach(() => vi.restoreAllMocks());

/** Creates a server whose `Ping` throws the given value. */
function failingWith(failure: unknown, options: Partial<SampleOptions> = {}) {
  const fail = (): never => {
    throw failure;
  };
  const { onError: _, ...quiet } = sampleOptions;
  const { handlers } = quiet;
  const all = {
    ...quiet,
    ...options,
    handlers: { ...handlers, api: { ...handlers["api"], ping: fail } },
  };
  return createServer(all, sampleMethods);
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function hiding(): object {
  const has = (): boolean => {
    throw new Error("no members");
  };
  return new Proxy({}, { has });
}

function throwing(): RpcError {
  const error = new RpcError(sampleErrors.Geoblocked);
  return Object.defineProperty(error, "status", {
    get() {
      throw new Error("no status");
    },
  });
}

const ping = { method: "POST" };
const url = "http://host/rpc/API/Ping";

describe("a thrown value that cannot be inspected", () => {
  it.each([
    ["a revoked proxy", revoked],
    ["a proxy that hides its members", hiding],
    ["an error with a getter that throws", throwing],
  ])("causes a 500: %s", async (_, make) => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const outcomes: unknown[] = [];
    const observe = () => (outcome: unknown) => void outcomes.push(outcome);
    const server = failingWith(make(), { onError, observe });
    const answer = await server.fetch(new Request(url, ping));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: "WebrpcInternalError" });
    expect(errors).toHaveLength(1);
    // If inspecting the value throws an error, `onError` receives that error.
    expect(errors.every((each) => each instanceof Error)).toBe(true);
    expect(outcomes).toMatchObject([{ error: "WebrpcInternalError" }]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "causes a response even if reading its name throws at access %i",
    async (bad) => {
      let looks = 0;
      const { name } = sampleErrors.Geoblocked;
      const error = Object.defineProperty(
        new RpcError(sampleErrors.Geoblocked),
        "name",
        {
          get() {
            looks += 1;
            if (looks === bad) throw new Error("no name");
            return name;
          },
        },
      );
      const observe = () => () => {};
      const server = failingWith(error, { observe });
      const answer = await server.fetch(new Request(url, ping));
      expect([451, 500]).toContain(answer.status);
    },
  );

  it.each([...hosts, ...lambdaHosts])(
    "causes a 500 on $name",
    async ({ start }) => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      const host = await start(failingWith(revoked()));
      expect((await host.fetch(url, ping)).status).toBe(500);
      await host.close();
    },
  );

  it("causes a 500 in a listener", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const listener = toNodeListener(() => {
      throw revoked();
    });
    const host = await run(createHttp(listener));
    expect((await host.fetch(url, ping)).status).toBe(500);
    await host.close();
  });
});

describe("an error with an odd code or status", () => {
  const lies = { valueOf: () => 404, toString: () => "lies" };
  const throws = {
    valueOf: () => {
      throw new Error("no value");
    },
  };
  /** Returns the response to a call that throws an error with such properties. */
  const answer = async (properties: object): Promise<unknown[]> => {
    const error = new RpcError(sampleErrors.Geoblocked);
    const server = failingWith(Object.assign(error, properties), {
      onError: () => undefined,
    });
    const response = await server.fetch(new Request(url, ping));
    const sent = await response.json();
    return [response.status, sent.error, sent.code, sent.status];
  };

  it.each([lies, throws, [404], "404", 404n, Symbol("404"), null, Number.NaN])(
    "sends 0 in place of the code %o",
    async (code) => {
      const { name, status } = sampleErrors.Geoblocked;
      expect(await answer({ code })).toEqual([status, name, 0, status]);
    },
  );

  it.each(["404", 404n])("sends the status %o as a number", async (status) => {
    const { code, name } = sampleErrors.Geoblocked;
    expect(await answer({ status })).toEqual([404, name, code, 404]);
  });

  it.each([lies, throws, 404.5, {}, null, Symbol("404"), Number.NaN])(
    "sends 500 in place of the status %o",
    async (status) => {
      const { code, name } = sampleErrors.Geoblocked;
      expect(await answer({ status })).toEqual([500, name, code, 500]);
    },
  );
});

describe("without onError", () => {
  it("logs unexpected errors to the console", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const boom = new Error("boom");
    await failingWith(boom).fetch(new Request(url, ping));
    expect(log.mock.calls).toEqual([["API.Ping failed:", boom]]);
  });

  it("does not log declared errors to the console", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const outage = new RpcError({ ...sampleErrors.Geoblocked, status: 503 });
    await failingWith(outage).fetch(new Request(url, ping));
    expect(log).not.toHaveBeenCalled();
  });
});

it("lets pages read a 404 from composed servers", async () => {
  const cors = { origins: ["https://app.example.com"] };
  const one = createSampleServer({ cors });
  const request = (): Request =>
    new Request("http://host/nowhere", {
      headers: { origin: "https://app.example.com" },
    });
  const single = await one.fetch(request());
  const composed = await composeServers(one, createSampleServer()).fetch(
    request(),
  );
  expect(composed.status).toBe(404);
  expect([...composed.headers]).toEqual([...single.headers]);
  expect(composed.headers.get("access-control-allow-origin")).toBe(
    "https://app.example.com",
  );
});

it("ignores the fragment of a URL", async () => {
  const request = new Request("http://host/rows/7/true#part");
  const answer = await createSampleServer().fetch(request);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { id: 7, flags: [true] },
  ]);
});

describe("an error that a client of another service received", () => {
  const envelope = {
    ...{ error: "Geoblocked", code: 1001, status: 451, msg: "not here" },
    cause: "db at 10.0.0.3",
  };
  /**
   * Returns the error that a generated client throws for a response from
   * another service.
   */
  const readError = () => fromEnvelope(envelope, 451);

  it("causes a 500, and is passed to onError", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const server = failingWith(readError(), { onError });
    const answer = await server.fetch(new Request(url, ping));
    expect(answer.status).toBe(500);
    const { code, message: msg } = builtInErrors.WebrpcInternalError;
    const error = "WebrpcInternalError";
    expect(await answer.json()).toEqual({ error, code, msg, status: 500 });
    expect(errors).toMatchObject([{ name: "Geoblocked" }]);
  });

  it("is logged if there is no onError", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    await failingWith(readError()).fetch(new Request(url, ping));
    expect(print).toHaveBeenCalledTimes(1);
  });

  it("is returned by a method that declares it", async () => {
    const rows = sampleMethods.map((row) => ({
      ...row,
      errors: ["Geoblocked"],
    }));
    const { handlers } = sampleOptions;
    const fail = () => Promise.reject(readError());
    const api = { ...handlers["api"], ping: fail };
    const options = { ...sampleOptions, handlers: { ...handlers, api } };
    const server = createServer(options, rows);
    const answer = await server.fetch(new Request(url, ping));
    expect(answer.status).toBe(451);
    expect(await answer.json()).toEqual(envelope);
  });
});
