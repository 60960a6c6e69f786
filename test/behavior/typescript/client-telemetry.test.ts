import * as realApi from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { createClientTelemetry } from "../../../runtime/typescript/client/client-telemetry.js";
import type {
  ClientOptions,
  Fetch,
} from "../../../runtime/typescript/client/client.js";
import { retry } from "../../../runtime/typescript/client/interceptors.js";
import {
  createClient,
  createSender,
  get,
  rpc,
  webhook,
} from "../../../runtime/typescript/codegen/create-client.js";
import {
  createStreams,
  stream,
} from "../../../runtime/typescript/codegen/create-streams.js";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import { createTelemetry } from "../../../runtime/typescript/server/opentelemetry.js";
import { createSampleServer, sampleOptions } from "./sample-server.js";
import { createTelemetryApi } from "./telemetry-api.js";

const echo = rpc<object, object, never>("/rpc/API/Echo", {
  safety: "idempotent",
});
const getToken = get<{ readonly id: string }, object, never>("/tokens/{id}");
const getPrice = rpc<object, object, never>("/rpc/API/GetPrice");
const watch = stream<object, object, never>("/rpc/API/Watch");

/** A client whose requests `answer` responds to, and what it reported. */
function createTraced(answer: Fetch, options: Partial<ClientOptions> = {}) {
  const telemetry = createTelemetryApi();
  const all = {
    baseUrl: "https://shop.test",
    fetch: answer,
    use: [createClientTelemetry(telemetry.api)],
    ...options,
  };
  return {
    ...telemetry,
    client: createClient(all, { echo, getToken, getPrice }),
    streams: createStreams(all, { watch }),
  };
}

const ok: Fetch = async () => Response.json({});
const ended = { isEnded: true };
const failed = { isEnded: true, status: realApi.SpanStatusCode.ERROR };

describe("telemetry of clients", () => {
  it("creates a span for the call, and one for its request", async () => {
    const { client, spans } = createTraced(ok);
    await client.echo({});
    expect(spans).toMatchObject([
      {
        name: "API/Echo",
        kind: realApi.SpanKind.CLIENT,
        parent: { span: null },
        attributes: {
          "rpc.system": "webrpc",
          "rpc.service": "API",
          "rpc.method": "Echo",
          "http.response.status_code": 200,
        },
        status: null,
        ...ended,
      },
      {
        name: "POST /rpc/API/Echo",
        kind: realApi.SpanKind.CLIENT,
        parent: { span: "API/Echo" },
        status: null,
        ...ended,
      },
    ]);
    expect(spans[0]?.attributes).not.toHaveProperty("error.type");
    expect(spans[1]?.attributes).toEqual({
      "http.request.method": "POST",
      "url.template": "/rpc/API/Echo",
      "url.full": "https://shop.test/rpc/API/Echo",
      "server.address": "shop.test",
      "server.port": 443,
      "http.response.status_code": 200,
    });
  });

  it("tells nobody the address of a webhook, which can be a secret", async () => {
    const { api, spans } = createTelemetryApi();
    const use = [createClientTelemetry(api)];
    const sender = createSender({ fetch: ok, use }, { notify: webhook() });
    await sender.notify("https://hooks.test/services/T0/secret", {});
    expect(JSON.stringify(spans)).toContain("hooks.test");
    expect(JSON.stringify(spans)).not.toContain("secret");
  });

  it("continues the trace on the server", async () => {
    const { api, active, client, spans } = createTraced((url, init) =>
      inProcess(server)(url, init),
    );
    const seen: unknown[] = [];
    const { interceptor, observe } = createTelemetry(api);
    const server = createSampleServer({
      observe,
      interceptors: [interceptor],
      handlers: {
        ...sampleOptions.handlers,
        api: {
          ...sampleOptions.handlers["api"],
          echo: (request) => {
            seen.push(active().trace);
            return request;
          },
        },
      },
    });
    await client.echo({}, { headers: { "x-trace": "1" } });
    expect(spans.map(({ kind, name }) => [name, kind])).toEqual([
      ["API/Echo", realApi.SpanKind.CLIENT],
      ["POST /rpc/API/Echo", realApi.SpanKind.CLIENT],
      ["API/Echo", realApi.SpanKind.SERVER],
    ]);
    expect(seen).toEqual(["root > POST /rpc/API/Echo"]);
    expect(active()).toEqual({ trace: "root", span: null });
  });

  it("keeps the headers of the request", async () => {
    const sent: unknown[] = [];
    const { client } = createTraced(async (_, { headers }) => {
      sent.push(headers);
      return Response.json({});
    });
    await client.echo({}, { headers: { "X-Own": "1" } });
    expect(sent).toEqual([
      {
        "content-type": "application/json",
        "x-own": "1",
        traceparent: "root > POST /rpc/API/Echo",
      },
    ]);
  });

  it("creates a span for each attempt", async () => {
    let attempts = 0;
    const telemetry = createTelemetryApi();
    const { client } = createTraced(
      async () =>
        Response.json({}, { status: (attempts += 1) < 3 ? 503 : 200 }),
      {
        use: [
          createClientTelemetry(telemetry.api),
          retry({ backoffMs: 1, attempts: 3 }),
        ],
      },
    );
    await client.echo({});
    const [call, ...requests] = telemetry.spans;
    expect(call).toMatchObject({ status: null, ...ended });
    const told = requests.map(({ attributes, isEnded, parent, status }) => [
      parent.span,
      attributes["http.request.resend_count"],
      attributes["http.response.status_code"],
      attributes["error.type"],
      status,
      isEnded,
    ]);
    const error = realApi.SpanStatusCode.ERROR;
    expect(told).toEqual([
      ["API/Echo", undefined, 503, "503", error, true],
      ["API/Echo", 1, 503, "503", error, true],
      ["API/Echo", 2, 200, undefined, null, true],
    ]);
  });

  it("names the error of a call", async () => {
    const server = createSampleServer({});
    const { client, spans } = createTraced(inProcess(server));
    await expect(client.getPrice({})).rejects.toThrow();
    expect(spans).toMatchObject([
      { attributes: { "error.type": "AccessKeyNotFound" }, ...failed },
      { attributes: { "error.type": "401" }, ...failed },
    ]);
  });

  it("reports a connection that fails", async () => {
    const { client, spans } = createTraced(async () => {
      throw new TypeError("fetch failed");
    });
    await expect(client.echo({})).rejects.toThrow();
    expect(spans).toMatchObject([
      { attributes: { "error.type": "WebrpcRequestFailed" }, ...failed },
      { attributes: { "error.type": "TypeError" }, ...failed },
    ]);
    expect(spans[0]?.attributes).not.toHaveProperty(
      "http.response.status_code",
    );
  });

  it("ends the span of a call whose request never ends", async () => {
    const hanging: Fetch = () => new Promise(() => {});
    const { client, spans } = createTraced(hanging);
    const controller = new AbortController();
    const call = client.echo({}, { signal: controller.signal });
    await expect.poll(() => spans.length).toBe(2);
    controller.abort();
    await expect(call).rejects.toThrow();
    expect(spans).toMatchObject([failed, failed]);
  });

  it("records durations by method and error", async () => {
    const { client, records } = createTraced(ok);
    await client.echo({});
    expect(records).toEqual([
      [
        "rpc.client.duration ms",
        expect.any(Number),
        {
          "rpc.system": "webrpc",
          "rpc.service": "API",
          "rpc.method": "Echo",
          "http.response.status_code": 200,
        },
      ],
    ]);
  });

  it("names a REST read after its path, and hides values in addresses", async () => {
    const { client, spans } = createTraced(ok, {
      baseUrl: "http://user:secret@shop.test:8080/at?key=secret",
    });
    await client.getToken({ id: "7" });
    expect(spans.map(({ name }) => name)).toEqual([
      "/tokens/{id}",
      "GET /tokens/{id}",
    ]);
    expect(JSON.stringify(spans)).not.toContain("secret");
    expect(spans[1]?.attributes).toMatchObject({
      "server.address": "shop.test",
      "server.port": 8080,
    });
  });

  it("accepts a relative address", async () => {
    const { client, spans } = createTraced(ok, { baseUrl: "" });
    await client.echo({});
    expect(spans[1]?.attributes).not.toHaveProperty("server.address");
  });

  it("ends the span of a stream when it opens", async () => {
    const lines: Fetch = async () =>
      new Response('{"n":1}\n{"n":2}\n', {
        headers: { "content-type": "application/x-ndjson" },
      });
    const { spans, streams } = createTraced(lines);
    for await (const item of streams.watch({})) {
      expect(item).toEqual({ n: 1 });
      break;
    }
    expect(spans).toMatchObject([
      { name: "API/Watch", ...ended },
      { name: "POST /rpc/API/Watch", ...ended },
    ]);
  });

  it("works with the OpenTelemetry package", async () => {
    const { client } = createTraced(ok, {
      use: [createClientTelemetry(realApi)],
    });
    // Without an SDK, the package does nothing and must not interfere.
    expect(await client.echo({})).toEqual({});
  });
});
