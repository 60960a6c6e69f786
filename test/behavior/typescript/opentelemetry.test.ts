import * as realApi from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { createTelemetry } from "../../../runtime/typescript/server/opentelemetry.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import {
  createSampleServer,
  sampleErrors,
  sampleMethods,
  sampleOptions,
  type SampleState,
} from "./sample-server.js";
import { createClock } from "./stream-server.js";
import { createTelemetryApi } from "./telemetry-api.js";
import { RpcError } from "../../../runtime/typescript/wire/errors.js";

function post(server: RpcServer, path: string, body: string) {
  const headers = {
    "content-type": "application/json",
    "content-length": String(body.length),
    traceparent: "trace-of-the-caller",
  };
  const init = { method: "POST", headers, body };
  return server.fetch(new Request(`http://host${path}`, init));
}

describe("telemetry", () => {
  it("creates a span within the caller's trace", async () => {
    const { api, spans, active } = createTelemetryApi();
    const { observe, interceptor } = createTelemetry(api);
    const seen: unknown[] = [];
    const server = createSampleServer({
      observe,
      interceptors: [interceptor],
      handlers: {
        ...sampleOptions.handlers,
        api: {
          ...sampleOptions.handlers["api"],
          echo: (request) => {
            seen.push(active());
            return request;
          },
        },
      },
    });
    await post(server, "/rpc/API/Echo", "{}");
    expect(seen).toEqual([{ trace: "trace-of-the-caller", span: "API/Echo" }]);
    expect(active()).toEqual({ trace: "root", span: null });
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({
      name: "API/Echo",
      kind: realApi.SpanKind.SERVER,
      parent: { trace: "trace-of-the-caller", span: null },
      attributes: {
        "rpc.system": "webrpc",
        "rpc.service": "API",
        "rpc.method": "Echo",
        "http.response.status_code": 200,
      },
      status: null,
      isEnded: true,
    });
    expect(spans[0]?.attributes).not.toHaveProperty("error.type");
  });

  it("creates all items of a stream within the span", async () => {
    const { api, spans, active } = createTelemetryApi();
    const { observe, interceptor } = createTelemetry(api);
    const seen: unknown[] = [];
    async function* count(): AsyncGenerator<object> {
      try {
        seen.push(active().span);
        yield { a: 1 };
        seen.push(active().span);
        yield { a: 2 };
      } finally {
        seen.push(active().span);
      }
    }
    const rows = sampleMethods
      .filter(({ name, service }) => name === "Echo" && service === "API")
      .map((row) => ({ ...row, isStream: true }) as const);
    const options = {
      ...sampleOptions,
      observe,
      interceptors: [interceptor],
      handlers: { api: { echo: () => count() } },
    };
    const server = createServer<SampleState>(options, rows);
    const whole = await post(server, "/rpc/API/Echo", "{}");
    expect((await whole.text()).trim()).toBe('{"a":1}\n{"a":2}');
    expect(seen.splice(0)).toEqual(["API/Echo", "API/Echo", "API/Echo"]);
    const left = await post(server, "/rpc/API/Echo", "{}");
    await left.body?.cancel();
    await expect.poll(() => seen).toEqual(["API/Echo", "API/Echo"]);
    expect(spans.map(({ isEnded }) => isEnded)).toEqual([true, true]);
  });

  it("reports failures, and whether the server caused them", async () => {
    const { api, spans } = createTelemetryApi();
    const { observe } = createTelemetry(api);
    const server = createSampleServer({ observe });
    await post(server, "/rpc/API/GetPrice", "{}");
    await post(server, "/rpc/API/Fail", '{"how":"exception"}');
    await post(server, "/rpc/API/Pong", "{}");
    const told = spans.map(({ attributes, status, isEnded }) => [
      attributes["error.type"],
      attributes["http.response.status_code"],
      status,
      isEnded,
    ]);
    expect(told).toEqual([
      ["AccessKeyNotFound", 401, null, true],
      ["WebrpcInternalError", 500, realApi.SpanStatusCode.ERROR, true],
    ]);
  });

  it("reports streams that the server could not complete", async () => {
    const { api, spans } = createTelemetryApi();
    const { observe } = createTelemetry(api);
    const clock = createClock(
      async function* ({ fault }) {
        yield { n: 1 };
        if (fault === "own") throw new Error("lost");
        throw new RpcError(sampleErrors.InvalidArgument);
      },
      { observe },
    );
    for (const fault of ["own", "declared"]) {
      const body = JSON.stringify({ fault });
      await (await post(clock, "/rpc/Clock/Watch", body)).text();
    }
    expect(
      spans.map(({ attributes, status }) => [attributes["error.type"], status]),
    ).toEqual([
      ["WebrpcInternalError", realApi.SpanStatusCode.ERROR],
      ["InvalidArgument", null],
    ]);
  });

  it("records metrics", async () => {
    const { api, records } = createTelemetryApi();
    const { observe } = createTelemetry(api);
    const server = createSampleServer({ observe });
    await post(server, "/rpc/API/Echo", '{"a":1}');
    const attributes = {
      "rpc.system": "webrpc",
      "rpc.service": "API",
      "rpc.method": "Echo",
      "http.response.status_code": 200,
    };
    expect(records).toEqual([
      ["rpc.server.duration ms", expect.any(Number), attributes],
      ["rpc.server.request.size By", 7, attributes],
      ["rpc.server.response.size By", 7, attributes],
    ]);
    const ping = new Request("http://host/rpc/API/Ping", { method: "POST" });
    await server.fetch(ping);
    expect(records.slice(3).map(([name, value]) => [name, value])).toEqual([
      ["rpc.server.duration ms", expect.any(Number)],
      ["rpc.server.request.size By", 0],
      ["rpc.server.response.size By", 2],
    ]);
  });

  it("has an event for each step of a request", async () => {
    const { api, spans } = createTelemetryApi();
    const { observe } = createTelemetry(api);
    const server = createSampleServer({
      observe,
      maxConcurrent: 1,
    });
    await post(server, "/rpc/API/Echo", "{}");
    expect(spans[0]?.events).toEqual([
      "ridlkit.credentials-accepted",
      "ridlkit.body-received",
      "ridlkit.request-accepted",
      "ridlkit.admitted",
      "ridlkit.handled",
    ]);
    await post(server, "/rpc/API/Echo", "[]");
    expect(spans[1]?.events).toEqual([
      "ridlkit.credentials-accepted",
      "ridlkit.body-received",
    ]);
  });

  it("passes steps to all observers, whatever one of them throws", async () => {
    const steps: string[] = [];
    const server = createSampleServer({
      observe: (_request, facts) => {
        facts?.onStep(() => {
          throw new Error("broken");
        });
        facts?.onStep((step) => steps.push(step));
      },
    });
    expect((await post(server, "/rpc/API/Echo", "{}")).status).toBe(200);
    expect(steps).toEqual([
      "credentials-accepted",
      "body-received",
      "request-accepted",
      "handled",
    ]);
  });

  it("does not affect a handler if nothing is recorded", async () => {
    const { interceptor } = createTelemetry(createTelemetryApi().api);
    const server = createSampleServer({ interceptors: [interceptor] });
    expect((await post(server, "/rpc/API/Echo", "{}")).status).toBe(200);
  });

  it("works with the OpenTelemetry package", async () => {
    const { observe, interceptor } = createTelemetry(realApi);
    const interceptors = [interceptor];
    const server = createSampleServer({ observe, interceptors });
    // Without an SDK, the package does nothing and must not interfere.
    expect(await (await post(server, "/rpc/API/Echo", "{}")).text()).toBe("{}");
  });
});
