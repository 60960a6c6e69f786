import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { readRest } from "../../../runtime/typescript/codegen/read-requests.js";
import { toLambdaHandler } from "../../../runtime/typescript/hosts/lambda.js";
import {
  idempotency,
  memoryAnswers,
} from "../../../runtime/typescript/server/idempotency.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import type {
  CorsOptions,
  RequestContext,
  RpcServer,
} from "../../../runtime/typescript/server/server.js";
import { listen } from "../../support/listen.js";
import { hosts, listenerHost, type TestHost } from "./hosts.js";
import { lambdaStreamHost } from "./lambda-hosts.js";
import {
  createSampleServer,
  plainRow,
  sampleErrors,
  type SampleOptions,
} from "./sample-server.js";
import { createClock } from "./stream-server.js";
import { RpcError } from "../../../runtime/typescript/wire/errors.js";

const call = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
};
const at = (path: string): string => `http://127.0.0.1/rpc/${path}`;

/** A server whose calls run a function before their handlers. */
const serverWith = (
  before: (context: RequestContext<unknown>) => void,
  options: Partial<SampleOptions> = {},
) =>
  createSampleServer({
    ...options,
    maxBodyBytes: 1_000_000,
    interceptors: [
      (next) => (each) => {
        before(each.context);
        return next(each);
      },
    ],
  });

const cookies = ["sid=1; HttpOnly", "theme=dark, light"];
const setsAll = serverWith(({ appendHeader }) => {
  for (const cookie of cookies) appendHeader("Set-Cookie", cookie);
  appendHeader("X-Trace", "1");
  appendHeader("x-trace", "2");
});

describe.each<TestHost>([...hosts, listenerHost, lambdaStreamHost])(
  "headers that handlers set, on $name",
  ({ start }) => {
    // Long responses are sent in pieces.
    it.each([10, 200_000])("are sent with %s bytes", async (size) => {
      const running = await start(setsAll);
      try {
        const body = JSON.stringify({ a: "x".repeat(size) });
        const answer = await running.fetch(at("API/Echo"), { ...call, body });
        expect(await answer.text()).toBe(body);
        expect(answer.headers.getSetCookie()).toEqual(cookies);
        expect(answer.headers.get("x-trace")).toBe("1, 2");
        expect(answer.headers.get("cache-control")).toBe("no-store");
      } finally {
        await running.close();
      }
    });
  },
);

it("are the cookies of a result of Lambda", async () => {
  const answer = await toLambdaHandler(setsAll)({
    rawPath: "/rpc/API/Echo",
    rawQueryString: "",
    headers: { "content-type": "application/json" },
    requestContext: { http: { method: "POST" } },
    isBase64Encoded: false,
    body: "{}",
  });
  expect(answer.cookies).toEqual(cookies);
  expect(answer.headers).not.toHaveProperty("set-cookie");
});

describe("headers that handlers set", () => {
  it("are sent with errors", async () => {
    const answer = await setsAll.fetch(
      new Request(at("API/Fail"), { ...call, body: '{"how":"declared"}' }),
    );
    expect(answer.status).toBe(451);
    expect(answer.headers.getSetCookie()).toEqual(cookies);
  });

  it("are sent to HEAD without a body", async () => {
    const server = serverWith(({ appendHeader }) =>
      appendHeader("Set-Cookie", "a=1"),
    );
    const url = "http://127.0.0.1/tokens/mainnet/0x1";
    const answer = await server.fetch(new Request(url, { method: "HEAD" }));
    expect(answer.headers.getSetCookie()).toEqual(["a=1"]);
    expect(await answer.text()).toBe("");
  });

  it("replace those of options, except Vary", async () => {
    const server = serverWith(
      ({ appendHeader }) => {
        appendHeader("Cache-Control", "private");
        appendHeader("Vary", "Cookie");
        appendHeader("Set-Cookie", "a=1");
      },
      {
        cacheControl: "public, max-age=60",
        cors: { origins: ["https://a.example"] },
      },
    );
    const { headers } = await server.fetch(new Request(at("API/Echo"), call));
    expect(headers.get("cache-control")).toBe("private");
    expect(headers.get("vary")).toBe("Origin, Cookie");
  });

  it.each(["private", "public, max-age=60"])(
    "do not make caches keep errors, with %s",
    async (value) => {
      const server = serverWith(({ appendHeader }) => {
        appendHeader("Cache-Control", value);
        appendHeader("Set-Cookie", "a=1");
      });
      const answer = await server.fetch(
        new Request(at("API/Fail"), { ...call, body: '{"how":"declared"}' }),
      );
      expect(answer.status).toBe(451);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    },
  );

  it("are sent with the first item of a stream, and reported after it", async () => {
    const seen: unknown[] = [];
    const clock = createClock(
      async function* (_request, { appendHeader }) {
        appendHeader("X-First", "1");
        yield { n: 1 };
        appendHeader("X-Second", "2");
        yield { n: 2 };
      },
      { onError: (error) => seen.push(error) },
    );
    const answer = await clock.fetch(new Request(at("Clock/Watch"), call));
    expect(answer.headers.get("x-first")).toBe("1");
    expect(await answer.text()).toContain('{"n":2}');
    expect(seen).toEqual([
      new TypeError("appendHeader: X-Second is after the response"),
    ]);
  });

  it.each([
    ["Content-Type", "text/html", "handlers cannot set Content-Type"],
    ["content-length", "1", "handlers cannot set content-length"],
    ["ETag", '"1"', "handlers cannot set ETag"],
    [
      "Access-Control-Allow-Origin",
      "*",
      "handlers cannot set Access-Control-Allow-Origin",
    ],
    ["X-Owner", "b", "handlers cannot set X-Owner"],
    ["X-Own\n", "secret", "invalid name or value of X-Own\n"],
    ["X-Own", "secret\r\nX-Other: 1", "invalid name or value of X-Own"],
    ["X-Own", "secret \u{1f600}", "invalid name or value of X-Own"],
    ["X-Own", "secret\u{7f}", "invalid name or value of X-Own"],
    ["Set-Cookie", "secret\u{1}", "invalid name or value of Set-Cookie"],
    ["Proxy-Connection", "close", "handlers cannot set Proxy-Connection"],
  ])("cannot be %j with %j", async (name, value, text) => {
    const seen: unknown[] = [];
    const server = createSampleServer(
      {
        onError: (error) => seen.push(error),
        interceptors: [
          (next) => (each) => {
            each.context.appendHeader(name, value);
            return next(each);
          },
        ],
      },
      [
        {
          ...plainRow,
          service: "API",
          name: "Echo",
          handler: ["api", "echo"],
          route: {
            kind: "rest",
            read: readRest,
            path: "/rpc/API/Echo",
            verb: "POST",
            body: null,
            responseHeaders: { "X-Owner": "owner" },
          },
        },
      ],
    );
    const answer = await server.fetch(new Request(at("API/Echo"), call));
    expect(answer.status).toBe(500);
    expect(seen).toEqual([new TypeError(`appendHeader: ${text}`)]);
  });
});

/** A server with a method that needs a key. */
const keyed = (
  order: SampleOptions["handlers"][string][string],
  options: Partial<SampleOptions> = {},
) =>
  createSampleServer(
    {
      ...options,
      idempotency: idempotency(memoryAnswers()),
      handlers: { api: { order } },
    },
    [
      {
        ...plainRow,
        service: "API",
        name: "Order",
        handler: ["api", "order"],
        route: { kind: "rpc", path: "/rpc/API/Order" },
        idempotencyKey: "required",
      },
    ],
  );

const sendWithKey = async (server: RpcServer, key: string, body = "{}") => {
  const headers = { ...call.headers, "idempotency-key": key };
  const init = { ...call, headers, body };
  const answer = await server.fetch(new Request(at("API/Order"), init));
  return [answer.status, answer.headers.getSetCookie()];
};

it("are sent again with the answer of a call with a key", async () => {
  let runs = 0;
  const server = keyed(({ fails }, { appendHeader }) => {
    runs += 1;
    appendHeader("Set-Cookie", `run=${runs}`);
    if (fails) throw new RpcError(sampleErrors.InvalidArgument);
    return { runs };
  });
  const fails = '{"fails":1}';
  expect(await sendWithKey(server, '"a"')).toEqual([200, ["run=1"]]);
  expect(await sendWithKey(server, '"a"')).toEqual([200, ["run=1"]]);
  expect(await sendWithKey(server, '"b"', fails)).toEqual([400, ["run=2"]]);
  expect(await sendWithKey(server, '"b"', fails)).toEqual([400, ["run=2"]]);
});

it("are not sent again if a verifier has set them", async () => {
  let requests = 0;
  const server = keyed(
    (_request, { appendHeader }) => {
      appendHeader("Set-Cookie", "own=1");
      return {};
    },
    {
      createState: ({ appendHeader }) => {
        requests += 1;
        appendHeader("Set-Cookie", `session=${requests}`);
        return { caller: null };
      },
    },
  );
  const cookiesOf = (request: number) => [
    200,
    expect.toSatisfy(
      (all: string[]) => all.toSorted().join() === `own=1,session=${request}`,
    ),
  ];
  expect(await sendWithKey(server, '"a"')).toEqual(cookiesOf(1));
  expect(await sendWithKey(server, '"a"')).toEqual(cookiesOf(2));
});

it("are stored with the answer of a call that ends after its deadline", async () => {
  let runs = 0;
  const server = keyed(
    async (_request, { appendHeader, signal }) => {
      runs += 1;
      if (!signal.aborted) await once(signal, "abort");
      appendHeader("Set-Cookie", `run=${runs}`);
      return { runs };
    },
    { timeoutMs: 20 },
  );
  expect(await sendWithKey(server, '"a"')).toEqual([504, []]);
  await vi.waitFor(
    async () => {
      expect(await sendWithKey(server, '"a"')).toEqual([200, ["run=1"]]);
    },
    { timeout: 10_000 },
  );
  expect(runs).toBe(1);
});

it("are an error on Node if it refuses them, and the process goes on", async () => {
  const server = createSampleServer();
  const { port, close } = await listen(
    createServer(
      toNodeHandler({
        ...server,
        handle: () =>
          Promise.resolve({
            status: 200,
            headers: { "x-a": "\u{1}" },
            body: "",
          }),
      }),
    ),
  );
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: "WebrpcInternalError" });
  } finally {
    await close();
  }
});

describe("cors.credentials", () => {
  const origin = "https://a.example";
  const server = (cors: CorsOptions) => createSampleServer({ cors });
  const read = async (from: string, method: string) => {
    const headers = {
      ...call.headers,
      origin: from,
      "access-control-request-method": "POST",
    };
    const body = method === "POST" ? { body: "{}" } : {};
    const request = new Request(at("API/Echo"), { method, headers, ...body });
    const answer = await server({
      ...{ origins: [origin], credentials: true },
    }).fetch(request);
    return answer.headers.get("access-control-allow-credentials");
  };

  it.each(["OPTIONS", "POST"])("allows listed origins, %s", async (method) => {
    expect(await read(origin, method)).toBe("true");
    expect(await read("https://b.example", method)).toBeNull();
  });

  it.each<[CorsOptions["origins"]]>([["*"], [[origin, "null"]]])(
    "is refused for %j",
    (origins) => {
      expect(() => server({ origins, credentials: true })).toThrow(
        "cors.credentials: expected a list of origins without null",
      );
    },
  );
});

describe("cors.origins", () => {
  it.each([
    ["https://a.example"],
    [["*"]],
    [["https://*.a.example"]],
    [["https://a.example/"]],
    [["a.example"]],
    [["https://a.example:443"]],
    [["https://A.example"]],
    [["HTTPS://a.example"]],
    [[1]],
  ])("cannot be %j", (origins) => {
    const cors = { origins } as unknown as CorsOptions;
    expect(() => createSampleServer({ cors })).toThrow(
      "server option cors.origins: expected `*` or a list of origins",
    );
  });

  it("can be those of apps, and null", () => {
    const origins = ["capacitor://localhost", "http://localhost:5173", "null"];
    expect(createSampleServer({ cors: { origins } })).toBeDefined();
  });
});
