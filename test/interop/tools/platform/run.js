// Lets clients call every method of the platform twice. The first response is a
// sample, and the second one is an error. What the clients send and return is
// compared with a plain `fetch`.
import { deepStrictEqual } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { load } from "js-yaml";

/** Starts the server. Input: the folder of the generated files. */
export async function startPlatform(work) {
  const { accessKey, InvalidArgumentError, samples, secret, startHarness } =
    await import(`${work}/harness.js`);
  const harness = await startHarness();
  const document = load(readFileSync(`${work}/generated/openapi.yaml`, "utf8"));
  const headers = {
    "X-Access-Key": accessKey,
    Authorization: `Bearer ${secret}`,
  };
  const calls = createCalls(document, samples);
  const file = `${work}/calls.json`;
  writeFileSync(file, JSON.stringify({ headers, calls }, asNumber));

  const phases = {
    answers: () => harness.reset(),
    errors() {
      harness.reset();
      harness.answerWith(() => {
        throw new InvalidArgumentError();
      });
    },
  };

  /**
   * Tests a client. Throws if it behaves differently from a plain `fetch`.
   *
   * Input: a function that makes all calls with the client, and returns the
   * status and the JSON of each response. Returns the number of methods called.
   */
  async function tryClient(callAll) {
    for (const [phase, prepare] of Object.entries(phases)) {
      prepare();
      const expected = await fetchAll(harness.baseUrl, calls, headers);
      const requests = harness.calls.splice(0);
      const status = phase === "answers" ? 200 : 400;
      deepStrictEqual(
        expected.map((each) => each.status),
        calls.map(() => status),
      );
      const got = JSON.parse(await callAll([harness.baseUrl, file]));
      deepStrictEqual(normalize(got), normalize(expected));
      deepStrictEqual(normalize(harness.calls), normalize(requests));
    }
    return calls.length;
  }
  return { tryClient, close: () => harness.close() };
}

/** Creates a call of each operation, with its sample request. */
function createCalls({ paths }, samples) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => {
      const { operationId, tags } = operation;
      const { request } = samples[operationId.replace("_", ".")];
      // Headers of the platform are optional, so clients leave them out.
      const parameters = (operation.parameters ?? []).filter(
        (parameter) => parameter.in === "path",
      );
      return {
        id: operationId,
        tag: tags[0],
        verb,
        path,
        parameters: parameters.map(({ example, name }) => [
          name,
          verb === "get" ? request[name] : example,
        ]),
        body: verb === "get" ? null : request,
      };
    }),
  );
}

function fetchAll(address, calls, headers) {
  return Promise.all(
    calls.map(async ({ body, parameters, path, verb }) => {
      const values = new Map(parameters);
      const filled = path.replace(/\{(.*?)\}/gu, (_, name) =>
        encodeURIComponent(values.get(name)),
      );
      const answer = await fetch(address + filled, {
        method: verb.toUpperCase(),
        headers: { ...headers, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body, asNumber) }),
      });
      return { status: answer.status, json: await answer.json() };
    }),
  );
}

/**
 * Makes results comparable. Clients print times in different formats, and calls
 * arrive in different orders.
 */
function normalize(value) {
  const text = JSON.stringify(value, (key, each) =>
    typeof each === "string" && /^\d{4}-\d\d-\d\dT/u.test(each)
      ? Date.parse(each)
      : asNumber(key, each),
  );
  const parsed = JSON.parse(text);
  return parsed[0]?.operation === undefined
    ? parsed
    : parsed.sort((a, b) => (a.operation < b.operation ? -1 : 1));
}

/**
 * Limits integers to 2^53-1, because clients in TypeScript round larger ones.
 */
function asNumber(_, value) {
  if (typeof value !== "bigint") return value;
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}
