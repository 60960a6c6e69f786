import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basicCredential } from "../../../runtime/typescript/client/client.js";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import { hosts, type Running, type TestHost } from "../typescript/hosts.js";
import { drawSome } from "../../support/draw-some.js";
import { listen } from "../../support/listen.js";
import {
  bodyOf,
  type CannedResponse,
  clientCases,
  isFor,
  messageOf,
  methodOf,
} from "./client-cases.js";
import { http2Host } from "./http2-host.js";
import { knownFailures, runCase } from "./known-failures.js";
import type { WireOptions } from "./load-contract.js";
import { runCall } from "./run-call.js";
import {
  contract,
  serveContract,
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
const credentials = {
  key: "key",
  secret: "secret",
  apiKey: "k&y é=",
  session: "s=1",
  userLogin: basicCredential({ username: "é", password: "a:b" }),
};
const canned = clientCases.filter(({ response }) => response !== undefined);
const cases = clientCases.filter(({ response }) => response === undefined);
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
    // The first host, which has no network, runs all cases in one form. The
    // others only translate requests, few cases differ in the other form, and
    // JavaScript is the same code without types, so `npm test` runs a sample.
    cases: drawSome(
      cases.filter((given) => isFor(given, form)),
      form === forms[0] && isInProcess ? 1 : index > 1 ? 16 : 4,
      index,
    ),
  }));
});

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
      await runCall(served.createClient(options), given, form);
      const received = given.echo ?? given.received;
      if (received === undefined) return;
      const { request } = methodOf(contract, given);
      expect(served.seen()).toEqual(
        messageOf(contract, request.fields, received, form),
      );
    });
  }

  it("omits what is undefined", async () => {
    const options = { ...transportOf(host, served, running), credentials };
    const { echo } = served.createClient(options);
    const given = { text: undefined, point: { x: 1, y: undefined } };
    const value = { point: { x: 1 } };
    expect(await echo?.["optionals"]?.({ value: given })).toEqual({ value });
    expect(served.seen()).toEqual({ value });
  });
});

/** Starts a server that returns the response that `give` last set. */
async function startCanned(): Promise<{
  url: string;
  give: (answer: CannedResponse) => void;
  close: () => Promise<void>;
}> {
  let next: CannedResponse | null = null;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(next?.status ?? 500, headersOf(next));
    response.end(next === null ? "" : bodyOf(next));
  });
  const { url, close } = await listen(server);
  return { url, give: (answer) => (next = answer), close };
}

function headersOf(given: CannedResponse | null): Record<string, string> {
  return { "content-type": "application/json", ...given?.headers };
}

/** Returns a `fetch` function that resolves to the response. */
function cannedFetch(given: CannedResponse): () => Promise<Response> {
  const { status } = given;
  const isBare = status === 204 || status === 304;
  const init = { status, headers: headersOf(given) };
  return () =>
    Promise.resolve(new Response(isBare ? null : bodyOf(given), init));
}

describe.each(
  forms.flatMap((form) =>
    ["in process", "HTTP"].map((place) => ({ form, place })),
  ),
)("a client that gets an unusual response", ({ form, place }) => {
  let server: Awaited<ReturnType<typeof startCanned>>;
  let served: ServedContract;
  beforeAll(async () => {
    server = await startCanned();
    served = await serveContract(form);
  });
  afterAll(() => server.close());

  describe(`reports the outcome (${place}, ${form.int64})`, () => {
    const given = canned.filter((each) => isFor(each, form));
    // Node turns the response of a server into what the other place returns.
    for (const each of drawSome(given, place === "HTTP" ? 4 : 1)) {
      const { name, response = { status: 200, body: "" } } = each;
      runCase(name, place, async () => {
        server.give(response);
        const client = served.createClient({
          baseUrl: server.url,
          ...(place === "in process" && { fetch: cannedFetch(response) }),
        });
        await runCall(client, each, form);
      });
    }
  });
});

it("every known failure names an existing case", () => {
  const names = clientCases.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const unknown = [...knownFailures]
    .filter((name) => name.startsWith("client "))
    .filter((name) => !names.includes(name.replace(/ @ .*$/u, "")));
  expect(unknown).toEqual([]);
});
