import { expect, it } from "vitest";
import { emitContract } from "../../../generator/4-emit/emit.js";
import { emitters } from "../../../generator/4-emit/registry.js";
import { compileContract } from "../../../generator/compile.js";
import { connectEmitted } from "../../support/connect-emitted.js";
import { importEmitted } from "../../support/import-emitted.js";
import { exportedFunction } from "../../support/run-emitted.js";

const source = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  @http:"POST /orders 201={id}" @responseStatus:code
  - Order() => (id: string, code: uint16)

  @http:"POST /tickets 202=empty" @responseStatus:code @responseHeaders:place
  - Queue() => (place: string, code: uint16)
`;

it("clients get the status of a method with only one", async () => {
  const { value } = compileContract(["shop.ridl"], { read: () => source });
  if (value === null) throw new Error("the contract has mistakes");
  const files = emitContract(
    value,
    emitters,
    {
      int64: "number",
      timestamp: "string",
      runtime: "import",
      importExtension: ".js",
    },
    { runtimeSources: new Map() },
  );
  const exports = await importEmitted(files, [
    'export * from "/client.js";',
    'export * from "/server.js";',
  ]);
  const order = { id: "a", code: 201 };
  const queue = { place: "b", code: 202 };
  const client = connectEmitted(exports, "Shop", {
    shop: { order: () => order, queue: () => queue },
  });
  expect(await exportedFunction(client, "order")({})).toEqual(order);
  expect(await exportedFunction(client, "queue")({})).toEqual(queue);
});
