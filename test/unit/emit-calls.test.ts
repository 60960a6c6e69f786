import { expect, test } from "vitest";
import { wrapNote } from "../../generator/4-emit/typescript/plan/method-docs.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { compileContract } from "../../generator/compile.js";
import type { Method } from "../../generator/ir/contract.js";
import { wireOf } from "../../generator/http/wire-of.js";

/** Returns the methods of one service in a document with the given lines. */
function methodsOf(lines: readonly string[]) {
  const text = ["webrpc = v1", "name = a", "version = v1.0.0", ...lines, ""];
  const { value, diagnostics } = compileContract(["a.ridl"], {
    read: () => text.join("\n"),
  });
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  const plan = createPlan(value, {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  });
  return plan.hosts.flatMap(({ services }) =>
    services.flatMap(({ methods }) => methods),
  );
}

function routePath(method: Method): string {
  return wireOf(method).address?.path ?? "";
}

function onlyMethod(lines: readonly string[]): Method {
  const [plan] = methodsOf(lines);
  if (plan === undefined) throw new Error("no method");
  return plan.method;
}

test("an RPC path consists of the base path, the service, and the method", () => {
  const lines = ['basepath = "/{network}/rpc"', "service v1/A", "  - Get()"];
  expect(routePath(onlyMethod(lines))).toBe("/{network}/rpc/v1/A/Get");
});

test("a path is encoded for a request line", () => {
  const method = onlyMethod(["service A", "  - Get()"]);
  const path = "/rpc/a b/é?#%/%20%c3%A9/{not one";
  const odd: Method = { ...method, route: { kind: "rpc", path } };
  expect(routePath(odd)).toBe(
    "/rpc/a%20b/%C3%A9%3F%23%25/%20%c3%A9/%7Bnot%20one",
  );
  expect(new URL(routePath(odd), "https://x.example").pathname).toBe(
    routePath(odd),
  );
});

test("notes are wrapped, but links and long words stay whole", () => {
  const link = "{@link " + "A".repeat(60) + " b c}";
  const lines = wrapNote(`See ${link} or ${"x".repeat(90)} now and then.`);
  expect(lines).toEqual(["See", link, "or", "x".repeat(90), "now and then."]);
});
