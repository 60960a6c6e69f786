import { describe, expect, it } from "vitest";
import { RpcError } from "../../../runtime/typescript/wire/errors.js";
import {
  createKey,
  type Interceptor,
  type Observe,
  type Outcome,
  type RpcServer,
} from "../../../runtime/typescript/server/server.js";
import { toPointer } from "../../../runtime/typescript/values/validation.js";
import {
  createSampleServer,
  sampleErrors,
  sampleOptions,
  type SampleState,
} from "./sample-server.js";

async function post(
  server: RpcServer,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly json: unknown }> {
  const response = await server.fetch(
    new Request(`http://host${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    }),
  );
  return { status: response.status, json: await response.json() };
}

type Layer = Interceptor<SampleState>;

describe("interceptors", () => {
  it("wrap the handler, starting with the first as the outermost", async () => {
    const steps: string[] = [];
    const layer =
      (name: string): Layer =>
      (next) =>
      async (call) => {
        steps.push(`${name} ${call.context.service}.${call.context.method}`);
        const answer = await next(call);
        steps.push(`${name} ${JSON.stringify(answer)}`);
        return answer;
      };
    const server = createSampleServer({
      interceptors: [layer("outer"), layer("inner")],
    });
    await post(server, "/rpc/API/Echo", '{"a":1}');
    expect(steps).toEqual([
      "outer API.Echo",
      "inner API.Echo",
      'inner {"a":1}',
      'outer {"a":1}',
    ]);
  });

  it("are created once for each method, and do not see rejected requests", async () => {
    let made = 0;
    let seen = 0;
    const count: Layer = (next) => {
      made += 1;
      return (call) => {
        seen += 1;
        return next(call);
      };
    };
    const server = createSampleServer({ interceptors: [count] });
    const before = made;
    expect(before).toBeGreaterThan(5);
    await post(server, "/rpc/API/Echo", "[]");
    await post(server, "/rpc/API/GetPrice", "{}");
    await post(server, "/rpc/API/Pong", "{}");
    expect([made, seen]).toEqual([before, 0]);
    await post(server, "/rpc/API/Echo", "{}");
    expect([made, seen]).toEqual([before, 1]);
  });

  it("can change the request and the response", async () => {
    const wrap: Layer = (next) => async (call) => {
      const answer = await next({ ...call, request: { given: call.request } });
      return { answer };
    };
    const server = createSampleServer({ interceptors: [wrap] });
    const { json } = await post(server, "/rpc/API/Echo", '{"a":1}');
    expect(json).toEqual({ answer: { given: { a: 1 } } });
  });

  it("can respond without the handler, fail, and catch handlers' errors", async () => {
    const guard: Layer = (next) => async (call) => {
      const how = Reflect.get(Object(call.request), "how");
      if (how === "cached") return { id: 1 };
      if (how === "barred") throw new RpcError(sampleErrors.PermissionDenied);
      try {
        return await next(call);
      } catch {
        return { id: 2 };
      }
    };
    const server = createSampleServer({ interceptors: [guard] });
    const answerTo = async (how: string) =>
      (await post(server, "/rpc/API/Fail", JSON.stringify({ how }))).json;
    expect(await answerTo("cached")).toEqual({ id: 1 });
    expect(await answerTo("barred")).toMatchObject({ status: 403 });
    expect(await answerTo("exception")).toEqual({ id: 2 });
  });

  it("cannot return an invalid response", async () => {
    const wrong: Layer = () => () => Promise.resolve({ id: "seven" });
    const server = createSampleServer({ interceptors: [wrong] });
    const { status, json } = await post(server, "/rpc/API/Fail", "{}");
    expect([status, json]).toMatchObject([500, { error: "WebrpcBadResponse" }]);
  });
});

describe("context keys", () => {
  it("pass typed values from `createState` and verifiers to interceptors", async () => {
    const userKey = createKey<{ readonly id: number }>("user");
    const other = createKey<string>("user");
    const seen: unknown[] = [];
    const server = createSampleServer({
      createState: (facts) => {
        facts.set(other, "from the state");
        return { caller: null };
      },
      verifyAccessKey: (value, context) => {
        context.set(userKey, { id: value.length });
        return true;
      },
      interceptors: [
        (next) => (call) => {
          const user = call.context.get(userKey);
          seen.push(user?.id, call.context.get(other));
          return next(call);
        },
      ],
    });
    const headers = { "x-access-key": "12345" };
    const body = '{"amount":"1","chainId":1}';
    await post(server, "/rpc/API/GetPrice", body, headers);
    await post(server, "/rpc/API/Echo", "{}");
    expect(seen).toEqual([5, "from the state", undefined, "from the state"]);
    expect(userKey.name).toBe("user");
  });
});

describe("observe", () => {
  /** Records the start and the outcome of each request. */
  function createLog() {
    const outcomes: Outcome[] = [];
    const starts: unknown[] = [];
    const observe: Observe = ({ method, target }, facts) => {
      starts.push(`${method} ${target} ${facts?.method ?? "-"}`);
      return (outcome) => void outcomes.push(outcome);
    };
    return { observe, outcomes, starts };
  }

  it("is called for every request, whatever its outcome", async () => {
    const { observe, outcomes, starts } = createLog();
    const methods = { "API/Echo": { maxConcurrent: 0 } };
    const server = createSampleServer({ observe, methods });
    await post(server, "/rpc/API/Ping", "{}");
    await post(server, "/rpc/API/Pong", "{}");
    await post(server, "/rpc/API/Fail", '{"how":"exception"}');
    await post(server, "/rpc/API/GetPrice", "{}");
    await server.fetch(new Request("http://host/rpc/API/Ping"));
    await post(server, "/rpc/API/Echo", "{}");
    expect(starts).toEqual([
      "POST /rpc/API/Ping Ping",
      "POST /rpc/API/Pong -",
      "POST /rpc/API/Fail Fail",
      "POST /rpc/API/GetPrice GetPrice",
      "GET /rpc/API/Ping -",
      "POST /rpc/API/Echo Echo",
    ]);
    expect(outcomes.map(({ status, error }) => [status, error])).toEqual([
      [200, null],
      [404, "WebrpcBadRoute"],
      [500, "WebrpcInternalError"],
      [401, "AccessKeyNotFound"],
      [405, "WebrpcBadMethod"],
      [503, "WebrpcRequestFailed"],
    ]);
  });

  it("receives the duration, the byte counts, and the invalid fields", async () => {
    const { observe, outcomes } = createLog();
    const server = createSampleServer({ observe });
    const body = '{"amount":"€","chainId":"x"}';
    const headers = { "x-access-key": "public-key", "content-length": "7" };
    const { json } = await post(server, "/rpc/API/GetPrice", body, headers);
    const [outcome] = outcomes;
    expect(outcome).toMatchObject({ status: 400, requestBytes: 30 });
    expect(outcome?.failures.map(({ path }) => toPointer(path))).toEqual([
      "/amount",
      "/chainId",
    ]);
    const text = new TextEncoder().encode(JSON.stringify(json));
    expect(outcome?.responseBytes).toBe(text.byteLength);
    expect(outcome?.durationMs).toBeGreaterThan(0);
    expect(outcome?.durationMs).toBeLessThan(5000);
    await post(server, "/rpc/API/Ping", "");
    expect(outcomes[1]).toMatchObject({ requestBytes: 0, responseBytes: 2 });
  });

  it.each<Observe>([
    () => {
      throw new Error("log is full");
    },
    () => () => {
      throw new Error("log is full");
    },
    // Programs without type checking may do this.
    () => Promise.reject(new Error("log is full")) as never,
    () => async () => Promise.reject(new Error("log is full")),
    () => undefined,
  ])("may itself fail or return nothing", async (observe) => {
    const server = createSampleServer({ ...sampleOptions, observe });
    expect((await post(server, "/rpc/API/Ping", "{}")).status).toBe(200);
    expect((await post(server, "/rpc/API/Pong", "{}")).status).toBe(404);
  });
});
