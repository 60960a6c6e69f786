import { describe, expect, it } from "vitest";
import type { RpcServer } from "../../../runtime/typescript/server/model/exchange.js";
import {
  type LambdaEvent,
  toLambdaHandler,
  toLambdaStreamHandler,
} from "../../../runtime/typescript/hosts/lambda.js";
import { deploy } from "./lambda-runtime.js";
import { createSampleServer } from "./sample-server.js";
import { countTo, createClock, sleep } from "./stream-server.js";

/** A shortened event from a function URL. */
const event: LambdaEvent = {
  rawPath: "/rpc/API/Echo",
  rawQueryString: "",
  headers: { "content-type": "application/json", "x-none": undefined },
  requestContext: { http: { method: "POST" } },
  body: '{"a":"ü"}',
  isBase64Encoded: false,
};

it.each([
  ["a REST API", { requestContext: { httpMethod: "POST", stage: "v1" } }],
  ["a load balancer", { requestContext: { elb: {} } }],
  ["a schedule", {}],
])("rejects an event of %s", async (_, other) => {
  const { requestContext: __, ...rest } = event;
  const given = { ...rest, ...other } as LambdaEvent;
  const handler = toLambdaHandler(createSampleServer());
  await expect(handler(given)).rejects.toThrow("payload format 2.0");
});

/** The headers that AWS adds to those of a request. */
const addedHeaders = {
  "content-length": "10",
  host: "abc123.execute-api.eu-central-1.amazonaws.com",
  "user-agent": "curl/8.7.1",
  "x-amzn-trace-id": "Root=1-5e6722a7-cc56xmpl46db7ae02d4da47e",
  "x-forwarded-for": "203.0.113.7",
  "x-forwarded-port": "443",
  "x-forwarded-proto": "https",
};

/** The parts that AWS sends in both kinds of events. */
const sentFields = {
  version: "2.0",
  routeKey: "$default",
  rawPath: "/rpc/API/Echo",
  rawQueryString: "",
  headers: { ...addedHeaders, "content-type": "application/json" },
  body: Buffer.from('{"a":"ü"}').toString("base64"),
  isBase64Encoded: true,
};

/** The context that AWS sends in both kinds of events. */
const sentContext = {
  apiId: "abc123",
  http: {
    method: "POST",
    path: "/rpc/API/Echo",
    protocol: "HTTP/1.1",
    sourceIp: "203.0.113.7",
    userAgent: "curl/8.7.1",
  },
  stage: "$default",
  time: "22/Nov/2026:11:05:29 +0000",
  timeEpoch: 1_795_345_529_000,
};

/** All fields of the events that AWS documents. */
const wholeEvents = {
  "API Gateway": {
    ...sentFields,
    cookies: ["theme=dark"],
    pathParameters: { proxy: "rpc/API/Echo" },
    queryStringParameters: undefined,
    stageVariables: undefined,
    requestContext: {
      accountId: "123456789012",
      authentication: null,
      domainName: "abc123.execute-api.eu-central-1.amazonaws.com",
      domainPrefix: "abc123",
      ...sentContext,
      requestId: "JKJaXmPLvHcESHA=",
      routeKey: "ANY /{proxy+}",
    },
  },
  "a function URL": {
    ...sentFields,
    requestContext: {
      accountId: "anonymous",
      authorizer: null,
      domainName: "abc123.lambda-url.eu-central-1.on.aws",
      domainPrefix: "abc123",
      ...sentContext,
      requestId: "e1506fd5-9e7b-434f-bd42-4f8fa224b599",
      routeKey: "$default",
    },
  },
};

/** Creates a server that responds with these bytes. */
function createStub(contentType: string | null, bytes: Uint8Array): RpcServer {
  const headers = contentType === null ? {} : { "content-type": contentType };
  return {
    ...createSampleServer(),
    fetch: () =>
      Promise.resolve(
        new Response(bytes.length === 0 ? null : Uint8Array.from(bytes), {
          headers,
        }),
      ),
  };
}

describe("AWS Lambda", () => {
  it("answers events with and without base64", async () => {
    const handler = toLambdaHandler(createSampleServer());
    const encoded = Buffer.from('{"a":"ü"}').toString("base64");
    for (const given of [
      event,
      { ...event, body: encoded, isBase64Encoded: true },
    ]) {
      expect(await handler(given)).toEqual({
        statusCode: 200,
        headers: { "content-type": "application/json" },
        body: '{"a":"ü"}',
        isBase64Encoded: false,
      });
    }
  });

  it.each(Object.entries(wholeEvents))(
    "answers a complete event from %s",
    async (_, whole) => {
      const handler = toLambdaHandler(createSampleServer());
      const { statusCode, body } = await handler(whole);
      expect([statusCode, body]).toEqual([200, '{"a":"ü"}']);
    },
  );

  it.each([
    ["header", { headers: { ...event.headers, "x-a": "\u{1F600}" } }, 400],
    ["base64", { body: "***", isBase64Encoded: true }, 400],
    ["verb", { requestContext: { http: { method: "TRACE" } } }, 405],
  ])("answers an event whose %s is invalid", async (_, change, status) => {
    const handler = toLambdaHandler(createSampleServer());
    const { statusCode, body } = await handler({ ...event, ...change });
    expect([statusCode, JSON.parse(body)]).toEqual([
      status,
      expect.objectContaining({ status, error: expect.any(String) }),
    ]);
  });

  it("does not change an attached NDJSON file", async () => {
    const bytes = Uint8Array.from([0x7b, 0x7d, 0xff]);
    const { fetch, ...stub } = createStub("application/x-ndjson", bytes);
    const attached = async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      response.headers.set("content-disposition", "attachment");
      return response;
    };
    const handler = toLambdaHandler({ ...stub, fetch: attached });
    const { body, isBase64Encoded } = await handler(event);
    expect([body, isBase64Encoded]).toEqual([
      Buffer.from(bytes).toString("base64"),
      true,
    ]);
  });

  it("uses Lambda's field for cookies", async () => {
    const seen: (string | null)[] = [];
    const server = createSampleServer({
      createState: (facts) => {
        seen.push(facts.header("cookie"));
        return { caller: null };
      },
    });
    const handler = toLambdaHandler(server);
    await handler({ ...event, cookies: ["a=1", "b=2"] });
    await handler(event);
    expect(seen).toEqual(["a=1; b=2", null]);
  });

  it("removes a stage from the path", async () => {
    const handler = toLambdaHandler(createSampleServer(), { prefix: "/prod" });
    const staged = { ...event, rawPath: "/prod/rpc/API/Echo" };
    expect((await handler(staged)).statusCode).toBe(200);
    expect((await handler(event)).statusCode).toBe(200);
    for (const stage of ["/test", "/production", "/prod/prod", "prod"]) {
      const other = { ...event, rawPath: `${stage}/rpc/API/Echo` };
      expect((await handler(other)).statusCode).toBe(404);
    }
  });

  it("reads REST paths, regardless of the body", async () => {
    const handler = toLambdaHandler(createSampleServer());
    const result = await handler({
      ...event,
      rawPath: "/tokens/mainnet/0xAB/1,2",
      rawQueryString: "x=1&y=2",
      requestContext: { http: { method: "GET" } },
    });
    expect(JSON.parse(result.body)).toMatchObject([{ tokenIDs: ["1", "2"] }]);
  });

  it.each([
    ["abc.execute-api.eu-central-1.amazonaws.com", "a%?#ä%41b"],
    ["api.example.com", "a%?#ä%41b"],
    ["abc.lambda-url.eu-central-1.on.aws", "a%25%3F%23%C3%A4%2541b"],
  ])("reads the same path from an event of %s", async (domainName, sent) => {
    const handler = toLambdaHandler(createSampleServer());
    const result = await handler({
      ...event,
      rawPath: `/tokens/mainnet/${sent}/1`,
      rawQueryString: "x=1",
      requestContext: { domainName, http: { method: "GET" } },
    });
    const [request]: unknown[] = JSON.parse(result.body);
    expect(request).toMatchObject({ contractAddress: "a%?#ä%41b" });
  });

  it("limits the timeout to the time that Lambda leaves for a response", async () => {
    const seen: (string | null)[] = [];
    const server = createSampleServer({
      createState: (facts) => {
        seen.push(facts.header("request-timeout-ms"));
        return { caller: null };
      },
    });
    const handler = toLambdaHandler(server);
    const withHeader = (value: string): LambdaEvent => ({
      ...event,
      headers: { ...event.headers, "request-timeout-ms": value },
    });
    const left = (remaining: number) => ({
      getRemainingTimeInMillis: () => remaining,
    });
    await handler(event, left(1200.5));
    await handler(withHeader("50"), left(1200));
    await handler(withHeader("50000"), left(1200));
    await handler(withHeader("50000"));
    expect(seen.splice(0)).toEqual(["1000", "50", "1000", "50000"]);
    // The server ignores a header that is not a whole number.
    const invalid = ["", "soon", "-5", "1e2", "0x10"];
    for (const value of invalid) await handler(withHeader(value), left(1200));
    expect(seen).toEqual(invalid.map(() => "1000"));
  });

  it("sends bytes as base64 and text as text", async () => {
    const bytes = Uint8Array.of(0xff, 0x00, 0x41);
    const cases: readonly (readonly [string | null, Uint8Array, string])[] = [
      [
        "application/octet-stream",
        bytes,
        Buffer.from(bytes).toString("base64"),
      ],
      ["application/x-ndjson", Buffer.from("{}\n"), "{}\n"],
      ["text/plain; charset=utf-8", Buffer.from("é"), "é"],
      // A file stays the same byte for byte, including its byte order mark, in
      // any encoding.
      ["text/csv", Buffer.from("\ufeffa;b"), "\ufeffa;b"],
      ["text/csv", bytes, Buffer.from(bytes).toString("base64")],
      [null, new Uint8Array(), ""],
    ];
    for (const [type, given, body] of cases) {
      const result = await toLambdaHandler(createStub(type, given))(event);
      expect(result.body).toBe(body);
      expect(result.isBase64Encoded).toBe(given === bytes);
    }
  });

  it("answers with an error if a result is too large", async () => {
    let isCanceled = false;
    const endless = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(1e6)),
        cancel: () => void (isCanceled = true),
      });
    const binary = "application/octet-stream";
    const cases = [
      // As base64, they take a third more.
      [binary, new Uint8Array(4e6), 200],
      [binary, new Uint8Array(5e6), 500],
      // As JSON, a quote takes two bytes.
      ["text/plain", "a".repeat(5e6), 200],
      ["text/plain", '"'.repeat(5e6), 500],
      [binary, endless(), 500],
    ] as const;
    for (const [type, body, status] of cases) {
      const headers = { "content-type": type };
      const fetch = async (): Promise<Response> =>
        new Response(body, { headers });
      const stub = createStub(null, new Uint8Array());
      const result = await toLambdaHandler({ ...stub, fetch })(event);
      expect(result.statusCode).toBe(status);
      expect(result.body.includes("WebrpcInternalError")).toBe(status === 500);
    }
    expect(isCanceled).toBe(true);
  });
});

describe("AWS Lambda, streaming", () => {
  it("runs only on Lambda", () => {
    expect(() => toLambdaStreamHandler(createSampleServer())).toThrow(
      "only Lambda's Node runtime can stream responses",
    );
  });

  it("removes a stage from the path", async () => {
    const invoke = deploy(createSampleServer(), "/prod");
    const answer = await invoke({ ...event, rawPath: "/prod/rpc/API/Echo" });
    expect([answer.status, await answer.text()]).toEqual([200, '{"a":"ü"}']);
  });

  it("sends bytes unchanged", async () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, at) => at % 251);
    const invoke = deploy(createStub("application/octet-stream", bytes));
    const answer = await invoke(event);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(await answer.bytes()).toEqual(bytes);
  });

  it("ends a stream before Lambda stops the function", async () => {
    let isLeft = false;
    const clock = createClock(async function* (_request, { signal }) {
      yield { n: 1 };
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      isLeft = true;
    });
    const watch = { ...event, rawPath: "/rpc/Clock/Watch", body: "{}" };
    const context = { getRemainingTimeInMillis: () => 300 };
    const answer = await deploy(clock)(watch, context);
    const lines = (await answer.text()).trim().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toEqual({ n: 1 });
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({
      webrpcError: { error: "WebrpcStreamLost" },
    });
    await expect.poll(() => isLeft).toBe(true);
  });

  it("adds nothing to a line that the client has received in part", async () => {
    let isLeft = false;
    const clock = createClock(async function* (_request, { signal }) {
      signal.addEventListener("abort", () => (isLeft = true));
      for (;;) yield { n: 1, text: "x".repeat(10_000_000) };
    });
    const watch = { ...event, rawPath: "/rpc/Clock/Watch", body: "{}" };
    const context = { getRemainingTimeInMillis: () => 300 };
    const answer = await deploy(clock)(watch, context);
    await expect.poll(() => isLeft).toBe(true);
    const last = (await answer.text()).split("\n").at(-1);
    expect(last?.slice(-20)).toBe("x".repeat(20));
  });

  it("does not wait for a client that does not read", async () => {
    const clock = createClock(countTo(100_000));
    const watch = { ...event, rawPath: "/rpc/Clock/Watch", body: "{}" };
    const context = { getRemainingTimeInMillis: () => 1000 };
    const answer = await deploy(clock)(watch, context);
    await sleep(1200);
    await expect(answer.text()).rejects.toThrow("did not wait");
  });
});
