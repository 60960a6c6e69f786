import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../../runtime/hosts/in-process.js";
import { hosts, type Running, type TestHost } from "../runtime/hosts.js";
import { drawSome } from "../support/draw-some.js";
import { listen } from "../support/listen.js";
import { canned } from "./cases/canned.js";
import type { CannedCase, ClientCase, Outcome } from "./cases/client-case.js";
import { clientErrors } from "./cases/client-errors.js";
import { clientRoundTrips } from "./cases/round-trips.js";
import { http2Host } from "./http2-host.js";
import { knownFailures, runCase } from "./known-failures.js";
import type { WireOptions } from "./load-contract.js";
import {
  serveContract,
  type AnyCall,
  type ServedContract,
} from "./served-contract.js";

const forms: readonly WireOptions[] = [
  { int64: "number", timestamp: "string" },
  { int64: "bigint", timestamp: "date" },
];
const allForms: readonly WireOptions[] = [
  ...forms,
  { int64: "bigint", timestamp: "date", language: "javascript" },
];
const credentials = { key: "key", secret: "secret" };
const cases = [...clientRoundTrips, ...clientErrors];
const places = [...hosts, http2Host].flatMap((host, index) => {
  // On this host, `fetch` calls the server directly, without a network.
  const isInProcess = host.name === "fetch";
  return (isInProcess ? allForms : forms).map((form) => ({
    name: [
      isInProcess ? "in process" : host.name,
      form.int64,
      ...(form.language === undefined ? [] : [form.language]),
    ].join(", "),
    host,
    form,
    // The first host, which has no network, runs all cases. The others only
    // translate requests, so `npm test` runs a sample on them.
    cases: drawSome(casesFor(form), [1, 4][index] ?? 16, index),
  }));
});

/**
 * Expects an outcome from both the throwing and the non-throwing form of a
 * call.
 */
async function expectOutcome(
  call: AnyCall,
  request: unknown,
  wanted: Outcome,
): Promise<void> {
  const thrown = await Promise.resolve(call(request)).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const { result } = Object(call) as { result: AnyCall };
  const settled = await result(request);
  if ("value" in wanted) {
    expect(thrown).toEqual({ value: wanted.value });
    expect(settled).toEqual({ ok: true, value: wanted.value });
    return;
  }
  const error = seenOf(thrown, wanted.error);
  expect(error).toEqual(wanted.error);
  expect(Object(settled).ok).toBe(false);
  expect(seenOf(settled, wanted.error)).toEqual(wanted.error);
}

/** Returns the error properties that the test checks. */
function seenOf(outcome: unknown, wanted: object): object {
  const { error } = Object(outcome) as { error: unknown };
  expect(error).toBeInstanceOf(Error);
  const entries = Object.keys(wanted).map((key) => [key, Object(error)[key]]);
  return Object.fromEntries(entries) as object;
}

function methodOf(
  client: ReturnType<ServedContract["createClient"]>,
  { service, method }: Pick<ClientCase, "service" | "method">,
): AnyCall {
  const call = client[service]?.[method];
  if (call === undefined) throw new Error(`there is no ${service}.${method}`);
  return call;
}

/** Returns the client options that connect to the server of a host. */
function transportOf(
  host: TestHost,
  { server }: ServedContract,
  { fetch }: Running,
): object {
  return host.name === "fetch"
    ? { baseUrl: "", fetch: inProcess(server) }
    : { baseUrl: "http://host/", fetch };
}

function casesFor({ int64, timestamp }: WireOptions) {
  return cases.filter(
    (given) =>
      (given.int64 ?? int64) === int64 &&
      (given.timestamp ?? timestamp) === timestamp,
  );
}

describe.each(places)("a client of $name", ({ name, host, form, cases }) => {
  let served: ServedContract;
  let running: Running;
  beforeAll(async () => {
    served = await serveContract(form);
    running = await host.start(served.server);
  });
  afterAll(() => running.close());

  for (const given of cases) {
    runCase(given.name, name, async () => {
      const options = { ...transportOf(host, served, running), credentials };
      const call = methodOf(served.createClient(options), given);
      await expectOutcome(call, given.request, given.outcome);
      if ("seen" in given) expect(served.seen()).toEqual(given.seen);
    });
  }
});

/** Starts a server that returns the response that `give` last set. */
async function startCanned(): Promise<{
  url: string;
  give: (answer: CannedCase) => void;
  close: () => Promise<void>;
}> {
  let next: CannedCase | null = null;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(next?.status ?? 500, headersOf(next));
    response.end(next?.body);
  });
  const { url, close } = await listen(server);
  return { url, give: (answer) => (next = answer), close };
}

function headersOf(given: CannedCase | null): Record<string, string> {
  return { "content-type": "application/json", ...given?.headers };
}

/** Returns a `fetch` function that resolves to the case's response. */
function cannedFetch(given: CannedCase): () => Promise<Response> {
  const { status, body } = given;
  const isBare = status === 204 || status === 304;
  const content = typeof body === "string" ? body : new Uint8Array(body);
  return () =>
    Promise.resolve(
      new Response(isBare ? null : content, {
        status,
        headers: headersOf(given),
      }),
    );
}

describe("a client that gets an unusual response", () => {
  let server: Awaited<ReturnType<typeof startCanned>>;
  let served: ServedContract;
  beforeAll(async () => {
    server = await startCanned();
    served = await serveContract({ int64: "number", timestamp: "string" });
  });
  afterAll(() => server.close());

  describe.each(["HTTP", "in process"])("reports the outcome (%s)", (place) => {
    for (const given of canned) {
      runCase(given.name, place, async () => {
        server.give(given);
        const client = served.createClient({
          baseUrl: server.url,
          ...(place === "in process" && { fetch: cannedFetch(given) }),
        });
        const call = methodOf(client, {
          service: "echo",
          method: given.method,
        });
        await expectOutcome(call, { value: requestFor(given) }, given.outcome);
      });
    }
  });
});

/** Returns a valid request. Its values do not affect the response. */
function requestFor({ method }: CannedCase): unknown {
  switch (method) {
    case "bigint":
      return 1n;
    case "bytes":
      return new Uint8Array();
    case "optionals":
      return {};
    case "renamed":
      return { FIRST: "a" };
    default:
      return 1;
  }
}

it("every known failure names an existing case", () => {
  const names = [...cases, ...canned].map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const unknown = [...knownFailures]
    .filter((name) => name.startsWith("client "))
    .filter((name) => !names.includes(name.replace(/ @ .*$/u, "")));
  expect(unknown).toEqual([]);
});
