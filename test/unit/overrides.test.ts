import { expect, test } from "vitest";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { compileContract } from "../../generator/compile.js";
import { readOverrides } from "../../tools/mock/overrides.js";
import * as validation from "../../runtime/typescript/values/validation.js";
import * as json from "../../runtime/typescript/wire/json.js";

const schema = `
webrpc = v1
name = shop
version = v1.0.0

error 1404 OrderNotFound "order not found" HTTP 404

service Shop
  - GetOrder(id: uint64) => () errors OrderNotFound
`;

const read = async (entry: string) => {
  const { value } = compileContract(["shop.ridl"], { read: () => schema });
  if (value === null) throw new Error("the schema has errors");
  const plan = createPlan(value, {
    int64: "bigint",
    timestamp: "string",
    runtime: "copy",
    importExtension: ".js",
  });
  const texts = new Map([["Shop/GetOrder.json", `[${entry}]`]]);
  const load = async (path: string) =>
    path.endsWith("json.js") ? json : validation;
  return readOverrides(texts, plan, load);
};

test.each([
  ['{"error":"OrderNotFound","request":{"id":1}}', []],
  [
    '{"error":"OrderNotFound","reqest":{}}',
    ["its list has the unknown property `reqest`"],
  ],
  ['{"error":"OrderNotFound","response":{}}', ["`response` and `error`"]],
  ['{"request":{}}', ["neither `response` nor `error`"]],
  ['{"request":5,"response":{}}', ["a `request` that is not an object"]],
  ['{"request":{"ID":1},"error":"OrderNotFound"}', ["have no field `ID`"]],
])("reports each fault in the override %s", async (entry, faults) => {
  const { diagnostics } = await read(entry);
  expect(diagnostics).toMatchObject(
    faults.map((fault) => ({
      code: "invalid-override",
      message: expect.stringContaining(fault),
    })),
  );
});
