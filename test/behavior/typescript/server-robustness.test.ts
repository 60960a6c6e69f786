import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../tools/test/code-point.js";
import { credentialIn } from "../../../runtime/typescript/server/model/credential-place.js";
import type { ServerRequest } from "../../../runtime/typescript/server/server.js";
import { createSampleServer } from "./sample-server.js";

const errors: unknown[] = [];
const server = createSampleServer({
  onError: (error) => void errors.push(error),
});

/** Creates an ordinary request with these parts. */
function requestOf(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): ServerRequest {
  return {
    method,
    target,
    header: (name) => headers[name.toLowerCase()] ?? null,
    text: () => Promise.resolve(body),
    chunks: () => new ReadableStream(),
    signal: () => new AbortController().signal,
  };
}

async function statusOf(request: ServerRequest): Promise<number> {
  const { status, headers, body } = await server.handle(request);
  expect(headers["content-type"]).toBe("application/json");
  expect(JSON.parse(body)).toBeTypeOf("object");
  return status;
}

const headers = {
  "content-type": "application/json",
  "x-access-key": "public-key",
};

describe("random input", () => {
  it("causes no internal error if it is a JSON value", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const body = JSON.stringify(value);
        const request = requestOf("POST", "/rpc/API/GetPrice", headers, body);
        expect(await statusOf(request)).toBe(400);
        const echo = requestOf("POST", "/rpc/API/Echo", headers, body);
        const isObject =
          typeof value === "object" && value !== null && !Array.isArray(value);
        expect(await statusOf(echo)).toBe(isObject ? 200 : 400);
      }),
      { numRuns: 200 },
    );
    expect(errors).toEqual([]);
  });

  it("is rejected as a body unless it is a JSON object", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: codePoint }), async (body) => {
        const request = requestOf("POST", "/rpc/API/Echo", headers, body);
        expect(await statusOf(request)).toBe(400);
      }),
      { numRuns: 200 },
    );
    expect(errors).toEqual([]);
  });

  it("causes no internal error, whatever the HTTP method, path, and headers are", async () => {
    const text = fc.string({ unit: codePoint });
    const path = fc.oneof(
      text,
      fc.array(text).map((segments) => `/tokens/${segments.join("/")}`),
      fc.tuple(text, text).map(([a, b]) => `/rows/${a}/${b}`),
      fc.constant("/rpc/API/AddSponsor"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(text, fc.constantFrom("GET", "POST")),
        path,
        fc.dictionary(
          fc.constantFrom(
            "content-type",
            "x-access-key",
            "authorization",
            "origin",
          ),
          fc.oneof(text, fc.constantFrom("application/json", "public-key")),
        ),
        async (verb, target, given) => {
          const status = await statusOf(requestOf(verb, target, given, ""));
          expect([200, 400, 401, 403, 404, 405]).toContain(status);
        },
      ),
      { numRuns: 500 },
    );
    expect(errors).toEqual([]);
  });
});

describe("credentialIn", () => {
  it.each([
    [null, null, null],
    ["", null, null],
    ["  ", null, null],
    [" key ", null, "key"],
    ["a b", null, "a b"],
    [null, "Bearer", null],
    ["Bearer", "Bearer", null],
    ["Bearer   ", "Bearer", null],
    ["bEARER  token ", "Bearer", "token"],
    ["Bearer a b", "bearer", "a b"],
    ["Bearer\ttoken", "Bearer", null],
    ["BearerX token", "Bearer", null],
    ["Basic token", "Bearer", null],
  ])("reads the header %j with the scheme %j", (header, scheme, value) => {
    expect(credentialIn({ header: "X", scheme }, () => header)).toBe(value);
  });
});
