import { expect, test } from "vitest";
import { printOpenapi } from "../../generator/4-emit/openapi/openapi.js";
import { compileContract } from "../../generator/compile.js";

/** Returns whether the body of a method's request is required. */
function isRequired(method: string): unknown {
  const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\nservice Shop\n";
  const text = `${head}  ${method}\n`;
  const { value } = compileContract(["a.ridl"], { read: () => text });
  if (value === null) throw new Error("the contract has errors");
  const options = {
    ...({ int64: "number", timestamp: "string" } as const),
    ...({ runtime: "import", importExtension: ".js" } as const),
  };
  const printed = printOpenapi(value, value.hosts, options, { format: "json" });
  return /"requestBody": \{\s*"required": (true|false)/u.exec(printed)?.[1];
}

test.each([
  ["no fields", '@http:"PUT /a"\n  - Put()', undefined],
  ["a required field", '@http:"PUT /a"\n  - Put(a: int8, b?: int8)', "true"],
  ["only optional fields", '@http:"PUT /a"\n  - Put(b?: int8)', "false"],
  ["one value", '@http:"PUT /a" @requestBody:a\n  - Put(a: int8)', "true"],
  ["a maybe", '@http:"PUT /a" @requestBody:a\n  - Put(a?: int8)', "false"],
  ["optional arguments", "- Put(b?: int8)", "true"],
])("says whether a body with %s is required", (_, method, required) => {
  expect(isRequired(method)).toBe(required);
});
