import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  hosts,
  listenerHost,
  type Received,
  type Running,
  type Sent,
} from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { sampleOn } from "./sample-on.js";
import { createSampleServer } from "./sample-server.js";

/** A request and the response that every host must return. */
interface ServerCase {
  readonly title: string;
  readonly verb?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** The whole body of a successful response. */
  readonly json?: unknown;
  /** The name of the error in a failure's envelope. */
  readonly error?: string;
  /** The cause in the envelope, or null if there must be none. */
  readonly cause?: RegExp | null;
}

const json = { "Content-Type": "application/json" };
const key = { ...json, "X-Access-Key": "public-key" };
const getOrders = "rpc/Marketplace/GetOrders";
const price = '{"amount":"1","chainId":1,"note":null,"extra":1}';
const addSponsor = (secret: string) => ({
  path: "/rpc/API/AddSponsor",
  headers: { ...key, Authorization: `Bearer ${secret}` },
  body: price,
});

/** What the contract of the conformance cases cannot show. */
const serverCases: readonly ServerCase[] = [
  ...[
    ["mainnet", "mainnet"],
    ["a%2Fb", "a/b"],
  ].map(([sent = "", network]) => ({
    title: `parameter of the base path: ${sent}`,
    path: `/${sent}/${getOrders}`,
    headers: key,
    body: "{}",
    status: 200,
    json: { service: "Marketplace", method: "GetOrders", network },
  })),
  ...["/atlantis", "/", "/a/b", "/mainnet%20", ""].map((prefix) => ({
    title: `parameter that is not accepted: ${prefix}`,
    path: `${prefix}/${getOrders}`,
    headers: key,
    body: "{}",
    status: 404,
    error: "WebrpcBadRoute",
  })),
  {
    title: "list of any JSON in a path",
    verb: "GET",
    path: "/rows/7/true,false,2,x,0x1",
    status: 200,
    json: { id: 7, flags: [true, false, 2, "x", "0x1"] },
  },
  {
    title: "number in a path that a double cannot represent",
    verb: "GET",
    path: "/rows/18446744073709551615/1",
    status: 400,
    error: "InvalidArgument",
    cause: /got about 18446744073709552000$/u,
  },
  {
    title: "invalid percent-encoding in a list",
    verb: "GET",
    path: "/tokens/mainnet/0xAB/1,%",
    status: 404,
    error: "WebrpcBadRoute",
    cause: /^invalid percent-encoding/u,
  },
  {
    title: "invalid content type",
    path: "/rpc/API/Echo",
    headers: { "Content-Type": ";" },
    body: "{}",
    status: 415,
    error: "WebrpcBadRequest",
  },
  {
    title: "state from the headers of a request",
    path: "/rpc/API/GetPrice",
    headers: { ...key, "X-Caller": "me" },
    body: price,
    status: 200,
    json: {
      price: "10",
      caller: "me",
      request: { amount: "1", chainId: 1, extra: 1 },
    },
  },
  {
    ...addSponsor("expired"),
    title: "verifier that throws an error that the contract declares",
    status: 403,
    error: "SessionExpired",
  },
  {
    ...addSponsor("broken"),
    title: "verifier that fails",
    status: 500,
    error: "WebrpcInternalError",
    cause: null,
  },
  {
    title: "handler that throws an error with the status of a success",
    path: "/rpc/API/Fail",
    body: '{"how":"odd status"}',
    status: 500,
    error: "Geoblocked",
    cause: null,
  },
];

/** Some hosts reject these requests themselves. */
const isMalformed = ({ title }: ServerCase): boolean =>
  title.startsWith("invalid");

function toSent({ body, headers, path, verb = "POST" }: ServerCase): Sent {
  return {
    verb,
    path,
    headers: headers ?? (verb === "POST" ? json : {}),
    body: body === undefined ? null : new TextEncoder().encode(body),
  };
}

function expectAnswer(given: ServerCase, answer: Received): void {
  const { status, error, cause } = given;
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  expect(answer.header("content-type")).toMatch(/^application\/json(;|$)/u);
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  if (error === undefined) return expect(body).toEqual(given.json);
  expect(body).toMatchObject({ error, status });
  if (cause === null) expect(body).not.toHaveProperty("cause");
  else if (cause !== undefined) expect(body["cause"]).toMatch(cause);
  expect(answer.text).not.toContain("store");
}

const everywhere = [...hosts, listenerHost, ...lambdaHosts];

describe.each(sampleOn(everywhere, serverCases))(
  "server on $name",
  ({ passesAll, sample, start }) => {
    let running: Running;
    beforeAll(async () => {
      running = await start(createSampleServer());
    });
    afterAll(() => running.close());

    it.each(sample)("$title", async (given) => {
      const answer = await running.send(toSent(given));
      if (passesAll || !isMalformed(given)) expectAnswer(given, answer);
      else expect([400, 404, 415]).toContain(answer.status);
    });

    it("keeps answering after requests with rejected bodies", async () => {
      const paths = ["/rpc/API/Ping", "/rpc/API/Pong", "/rpc/API/Echo"];
      for (const path of [...paths, ...paths]) {
        const body = new TextEncoder().encode(`{"a":"${"x".repeat(5000)}"}`);
        const headers = { "content-type": "application/json" };
        const answer = await running.send({
          verb: "POST",
          path,
          headers,
          body,
        });
        expect(answer.status).toBe(path.endsWith("Pong") ? 404 : 413);
      }
    });
  },
);
