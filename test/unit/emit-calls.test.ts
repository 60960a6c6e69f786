import { expect, test } from "vitest";
import { wrapNote } from "../../generator/4-emit/typescript/calls/call-docs.js";
import {
  pathFields,
  routePath,
} from "../../generator/4-emit/typescript/calls/call-routes.js";
import type { Method } from "../../generator/ir/contract.js";
import { createIndex } from "../../generator/ir/resolve.js";
import { compileContract } from "../../generator/compile.js";

/** The methods of one service, in a document with the given lines. */
function methodsOf(lines: readonly string[]) {
  const text = ["webrpc = v1", "name = a", "version = v1.0.0", ...lines, ""];
  const { value, diagnostics } = compileContract(["a.ridl"], {
    read: () => text.join("\n"),
  });
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  const methods = value.hosts.flatMap(({ services }) =>
    services.flatMap((service) => service.methods),
  );
  return { index: createIndex(value), methods };
}

function onlyMethod(lines: readonly string[]): Method {
  const [method] = methodsOf(lines).methods;
  if (method === undefined) throw new Error("no method");
  return method;
}

test("an rpc path is base path, service and method", () => {
  const lines = ['basepath = "/{network}/rpc"', "service v1/A", "  - Get()"];
  expect(routePath(onlyMethod(lines))).toBe("/{network}/rpc/v1/A/Get");
});

test("parameters of a read are called what the properties are called", () => {
  const lines = [
    "struct Read",
    "  - tokenId: uint64",
    "    + json = token_id",
    "service A",
    '  @get:"/tokens/{token_id}"',
    "  - Get(Read) => (Read)",
  ];
  const { index, methods } = methodsOf(lines);
  expect(methods.map(routePath)).toEqual(["/tokens/{token_id}"]);
  expect(methods.map((method) => pathFields(index, method))).toEqual([
    { lists: [], json: ["token_id"] },
  ]);
});

test("a path is encoded as it stands in a request line", () => {
  const method = onlyMethod(["service A", "  - Get()"]);
  const path = "/rpc/a b/é?#%/{not one";
  const odd: Method = { ...method, route: { kind: "rpc", path } };
  expect(routePath(odd)).toBe("/rpc/a%20b/%C3%A9%3F%23%25/%7Bnot%20one");
  expect(new URL(routePath(odd), "https://x.example").pathname).toBe(
    routePath(odd),
  );
});

test("numbers and booleans of a path are read as JSON, lists by commas", () => {
  const { index, methods } = methodsOf([
    "type Ids: []uint64",
    "type Flag: bool",
    "service A",
    '  @get:"/r/{ids}/{flag}/{big}/{name}/{at}/{rate}"',
    "  - Get(ids: Ids, flag: Flag, big: bigint, name: []string, at: timestamp, rate: float64)",
  ]);
  const [method] = methods;
  if (method === undefined) throw new Error("no method");
  expect(pathFields(index, method)).toEqual({
    lists: ["ids", "name"],
    json: ["ids", "flag", "rate"],
  });
});

test("a note is filled into lines, links and long words whole", () => {
  const link = "{@link " + "A".repeat(60) + " b c}";
  const lines = wrapNote(`See ${link} or ${"x".repeat(90)} now and then.`);
  expect(lines).toEqual(["See", link, "or", "x".repeat(90), "now and then."]);
});
