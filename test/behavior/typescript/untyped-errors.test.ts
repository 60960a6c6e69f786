import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  createClient,
  get,
} from "../../../runtime/typescript/codegen/create-client.js";
import {
  readErrorBodies,
  readErrors,
} from "../../../runtime/typescript/codegen/read-errors.js";
import type { Check } from "../../../runtime/typescript/values/validation.js";
import { isRecord } from "../../../runtime/typescript/values/predicates.js";

/** Accepts objects whose `detail` is a list. */
const check: Check = (value, report) => {
  const isFit = isRecord(value) && Array.isArray(value["detail"]);
  if (!isFit) report.fail("a list", value);
};

const errors = { NotFound: [1404, 404] } as const;

function callWith(
  body: string,
  status: number,
  error = readErrorBodies({ check }, errors),
) {
  const client = createClient(
    {
      baseUrl: "http://host",
      fetch: () => Promise.resolve(new Response(body, { status })),
    },
    { read: get<object, object, never>("/pets/1", { error }) },
  );
  return client.read({}).then(
    () => null,
    (caught: unknown) => Object(caught),
  );
}

describe("an error body that the contract does not describe", () => {
  it.each([
    ['{"detail":"No such pet"}', "No such pet", { detail: "No such pet" }],
    ["No such pet", "No such pet", "No such pet"],
    ["<html>", "NotFound", "<html>"],
    ["", "NotFound", ""],
    ["null", "NotFound", null],
    ['["a","b"]', "a; b", ["a", "b"]],
  ])("%s is told by its status", async (body, message, kept) => {
    const error = await callWith(body, 404);
    expect([error.name, error.message, error.data, error.body]).toEqual([
      "NotFound",
      message,
      undefined,
      kept,
    ]);
  });

  it("is no error if the status does not tell which", async () => {
    expect((await callWith("<html>", 502)).reason).toBe("bad-response");
    expect((await callWith('{"detail":"x"}', 502)).message).toBe("x");
  });

  it.each([
    [
      "is not shown if the method has secrets",
      readErrorBodies({ check }, errors, true),
    ],
    ["is not shown beside an envelope", readErrors({ NotFound: { check } })],
  ])("%s", async (_, error) => {
    const body =
      '{"error":"NotFound","code":1404,"msg":"gone","status":404,"data":{"detail":"s3cret"},"detail":"s3cret"}';
    const caught = await callWith(body, 404, error);
    expect(caught.body).toEqual(JSON.parse(body));
    const shown = [
      inspect(caught, { depth: 9 }),
      JSON.stringify(caught),
      String(caught.stack),
    ];
    expect(shown.join()).not.toContain("s3cret");
  });
});
