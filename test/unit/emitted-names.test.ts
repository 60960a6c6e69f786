import { expect, test } from "vitest";
import { composeServers } from "@ridlkit/runtime/server";
import {
  createPlatformClient,
  type PlatformClient,
} from "../golden/fixtures/bad-names-calls/expected/index.js";
import {
  createConstructorServer,
  type V1ExampleHandler,
} from "../golden/fixtures/bad-names-calls/expected/constructor/server.js";
import { createV1ExampleServer } from "../golden/fixtures/bad-names-calls/expected/v1-example/server.js";

const example: V1ExampleHandler = {
  fetch: ({ value }) => ({ toString: value, constructor: value.length }),
  url: () => ({ then: true }),
  then_: ({ value }) => ({ value }),
  constructor_: ({ constructor }) => ({ toString: constructor }),
  toString_() {
    // Nothing to return.
  },
  options: ({ options, request }) => ({ response: options + request }),
  function: () => ({ value: "function" }),
  proto: () => ({ value: "proto" }),
};

const server = composeServers(
  createConstructorServer({
    handlers: {
      v1Example: example,
      then_: { fetch: () => ({ ok: true }) },
      api: { api: () => ({ value: "api" }), httpGet: () => ({ value: "get" }) },
      api2: { fetch: () => ({ ok: false }) },
      constructor_: { new: (request) => ({ delete: request.new }) },
    },
  }),
  createV1ExampleServer({
    handlers: {
      other: { fetch: () => ({ ok: true }) },
      client: { createClient: () => ({ ok: true }) },
    },
  }),
);

const paths: string[] = [];

const client = createPlatformClient({
  hosts: {
    constructor_: "https://one.example.com",
    v1Example: "https://two.example.com",
  },
  fetch: (url, init) => {
    paths.push(new URL(url).pathname);
    return server.fetch(new Request(url, init));
  },
});

const calls: readonly [
  path: string,
  call: (client: PlatformClient) => Promise<unknown>,
  answer: unknown,
][] = [
  [
    "/api/v1/Example/Fetch",
    ({ v1Example }) => v1Example.fetch({ value: "abc" }),
    { toString: "abc", constructor: 3 },
  ],
  [
    "/api/v1/Example/Then",
    ({ v1Example }) => v1Example.then_({ value: "x" }),
    { value: "x" },
  ],
  [
    "/api/v1/Example/Constructor",
    ({ v1Example }) => v1Example.constructor_({ constructor: "c" }),
    { toString: "c" },
  ],
  ["/api/v1/Example/ToString", ({ v1Example }) => v1Example.toString_(), {}],
  [
    "/api/v1/Example/Options",
    ({ v1Example }) => v1Example.options({ options: "o", request: "r" }),
    { response: "or" },
  ],
  [
    "/api/v1/Example/Function",
    ({ v1Example }) => v1Example.function(),
    { value: "function" },
  ],
  [
    "/api/v1/Example/__proto__",
    ({ v1Example }) => v1Example.proto(),
    { value: "proto" },
  ],
  ["/api/Then/Fetch", ({ then_ }) => then_.fetch(), { ok: true }],
  ["/api/API/API", ({ api }) => api.api(), { value: "api" }],
  ["/api/API/HTTPGet", ({ api }) => api.httpGet(), { value: "get" }],
  ["/api/Api2/Fetch", ({ api2 }) => api2.fetch(), { ok: false }],
  [
    "/api/Constructor/New",
    ({ constructor_ }) => constructor_.new({ new: "n" }),
    { delete: "n" },
  ],
  ["/rpc/Other/Fetch", ({ other }) => other.fetch(), { ok: true }],
  [
    "/rpc/Client/CreateClient",
    (all) => all.client.createClient(),
    { ok: true },
  ],
];

test.each(calls)(
  "calls %s and returns its response",
  async (path, call, answer) => {
    expect(await call(client)).toEqual(answer);
    expect(paths.at(-1)).toBe(path);
  },
);

test("a message with a property `then` is still a message", async () => {
  // If `then` were a function, `await` would wait forever.
  expect(await client.v1Example.url({ value: "" })).toEqual({ then: true });
});

test("a client is not a promise, so async functions can return it", async () => {
  const made = await Promise.resolve(client.v1Example);
  expect(made).toBe(client.v1Example);
});

test.each(["__proto__", "constructor", "toString", "fetch", "valueOf"])(
  "an undeclared method %s is not a route",
  async (name) => {
    const response = await server.fetch(
      new Request(`https://one.example.com/api/API/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      }),
    );
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "WebrpcBadRoute" });
  },
);
