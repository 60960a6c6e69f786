import { expect, test } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import { compileContract } from "../../generator/compile.js";
import { targetsWith } from "../support/golden-cases.js";

/** Returns the types that Go declares for a service beside `ShopPages`. */
function typesFor(method: string): readonly string[] {
  const text = `webrpc = v1

name = shop
version = v1.0.0

struct ShopPages
  - count: uint32

service Shop
  ${method}
`;
  const { value } = compileContract(["shop.ridl"], { read: () => text });
  if (value === null) throw new Error("invalid");
  const files = emitContract(
    value,
    targetsWith({ go: { module: "example.com/shop" } }),
    {
      ...{ int64: "number", timestamp: "string" },
      ...{ runtime: "import", importExtension: ".js" },
    },
    { runtimeSources: new Map() },
  );
  const found = files.flatMap((file) =>
    Array.from(
      file.text.matchAll(/^type (Shop(?:Pages)?\d*) /gmu),
      ([, name = ""]) => name,
    ),
  );
  return [...new Set(found)].sort();
}

test("a service without pages keeps its name", () => {
  expect(typesFor("- Ping()")).toEqual(["Shop", "ShopPages"]);
});

test("the pages of a service give way to names of the contract", () => {
  const list =
    "- List(cursor?: string) => (items: []string, nextCursor?: string)";
  expect(typesFor(list)).toEqual(["Shop", "ShopPages", "ShopPages2"]);
});
