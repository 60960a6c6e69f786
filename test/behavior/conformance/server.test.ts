import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hosts, listenerHost, type Running } from "../typescript/hosts.js";
import { lambdaHosts } from "../typescript/lambda-hosts.js";
import { drawSome } from "../../support/draw-some.js";
import {
  serverCases,
  type ServerCase,
} from "../../../tools/conformance/server-cases/index.js";
import { expectAnswer } from "./expect-answer.js";
import { http2Host } from "./http2-host.js";
import { expectRawAnswer, rawCases } from "./raw-cases.js";
import { knownFailures, runCase } from "./known-failures.js";
import type { WireOptions } from "./load-contract.js";
import { serveContract } from "./served-contract.js";

const plain: WireOptions = { int64: "number", timestamp: "string" };
const exact: WireOptions = { int64: "bigint", timestamp: "date" };

const javascript: WireOptions = { ...exact, language: "javascript" };

/**
 * The hosts on which the cases run. One host also runs the other variants of
 * generated code.
 */
const places = [
  ...[...hosts, http2Host, listenerHost, ...lambdaHosts].map((host, index) => ({
    name: host.name,
    host,
    options: plain,
    // The first host, which has no network, runs all cases. The others only
    // translate requests, so `npm test` runs a sample on them.
    cases: drawSome(casesFor(plain), [1, 8][index] ?? 32, index),
  })),
  ...hosts.slice(0, 1).flatMap((host) =>
    Object.entries({ exact, JavaScript: javascript }).map(
      ([name, options]) => ({
        name: `${host.name}, ${name}`,
        host,
        options,
        cases: drawSome(casesFor(options), 8),
      }),
    ),
  ),
];

function casesFor({ int64, timestamp }: WireOptions): readonly ServerCase[] {
  return serverCases.filter(
    (given) =>
      (given.int64 ?? int64) === int64 &&
      (given.timestamp ?? timestamp) === timestamp,
  );
}

it("has more than 250 cases, without duplicates", () => {
  const names = serverCases.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(casesFor(plain).length).toBeGreaterThan(250);
});

describe.each(places)("a server on $name", ({ name, host, options, cases }) => {
  let running: Running;
  beforeAll(async () => {
    running = await host.start((await serveContract(options)).server);
  });
  afterAll(() => running.close());

  for (const given of cases) {
    runCase(given.name, name, () => expectAnswer(running, given));
  }

  if (
    options === plain &&
    name !== "fetch" &&
    !lambdaHosts.includes(host) &&
    host !== http2Host
  ) {
    // These frameworks parse the URL before the server does.
    const isParsed = name === "Hono" || name === "Fastify";
    it.each(
      rawCases.filter(
        ({ name: title }) =>
          !isParsed ||
          (!title.startsWith("the URL") && title !== "an asterisk"),
      ),
    )("raw: $name", (given) =>
      expectRawAnswer(running.port ?? 0, given, host.permitsBodies),
    );
  }

  it("leaves built-in objects unchanged", () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object(null)).not.toHaveProperty("polluted");
  });
});

it("every known failure names an existing case", () => {
  const names = new Set(
    serverCases.flatMap(({ name }) => [
      name,
      ...places.map((place) => `${name} @ ${place.name}`),
    ]),
  );
  const server = [...knownFailures].filter(
    (name) => !name.startsWith("client"),
  );
  expect(server.filter((name) => !names.has(name))).toEqual([]);
});
