import { expect, test } from "vitest";
import { printOpenapi } from "../../generator/4-emit/openapi/openapi.js";
import { toVersion30 } from "../../generator/4-emit/openapi/version-3-0.js";
import {
  contract,
  field,
  host,
  message,
  method,
  scalar,
  service,
} from "../support/contract-parts.js";

const options = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
} as const;

const docs = { lines: [], origins: [] };
const call = message([
  field("schema", scalar("string"), { isNullable: true }),
  field("examples", scalar("string")),
]);
const find = method("Shop", "Find", {
  request: call,
  response: call,
  credentials: ["schema"],
  errors: ["schema"],
});

/** A contract whose parts are named after a keyword of OpenAPI. */
const subject = contract(
  [],
  [host("shop", [service("Shop", [find])], { errors: ["schema"] })],
  {
    credentials: [
      {
        name: "schema",
        docs,
        key: "schema",
        place: "header",
        parameter: "schema",
        scheme: null,
        error: "schema",
      },
    ],
    errors: [
      {
        kind: "error",
        name: "schema",
        code: 1,
        message: "failed",
        status: 404,
        anyStatus: false,
        data: null,
        dataMembers: [],
        isDataOptional: false,
        docs,
      },
    ],
  },
);

type Members = Readonly<Record<string, unknown>>;

function documentOf(version: "3.0" | "3.1") {
  const setting = {
    format: "json",
    version,
    addresses: { shop: "https://shop.example/{schema}" },
  } as const;
  const text = printOpenapi(subject, subject.hosts, options, setting);
  return JSON.parse(text) as {
    readonly servers: unknown;
    readonly paths: Members;
    readonly components: Readonly<Record<string, Members>>;
  };
}

test("OpenAPI 3.0 differs only in schemas, no matter how other parts are named", () => {
  const { components, paths, servers } = documentOf("3.0");
  const newer = documentOf("3.1");
  const { schemas, ...others } = components;
  const { schemas: _, ...newerOthers } = newer.components;
  const print = (value: unknown): string => JSON.stringify(value);
  expect(Object.keys(others["securitySchemes"] ?? {})).toEqual(["schema"]);
  expect(Object.keys(others["responses"] ?? {})).toContain("schema");
  expect(print(others)).toBe(print(newerOthers));
  expect(print(paths)).toBe(print(newer.paths));
  expect(print(servers)).toBe(print(newer.servers));
  expect(schemas?.["FindRequest"]).toMatchObject({
    properties: { schema: { type: "string", nullable: true } },
  });
});

test("converts the variants of a union", () => {
  const union = {
    oneOf: [
      { type: "array", items: { type: ["string", "null"] } },
      { type: "object", properties: { kind: { type: "string", const: "a" } } },
      { type: "null" },
    ],
  };
  const { components } = toVersion30({
    components: { schemas: { Union: union } },
  });
  expect(components).toEqual({
    schemas: {
      Union: {
        oneOf: [
          { type: "array", items: { type: "string", nullable: true } },
          {
            type: "object",
            properties: { kind: { type: "string", enum: ["a"] } },
          },
        ],
        nullable: true,
      },
    },
  });
});
