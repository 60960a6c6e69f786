import { expect, it } from "vitest";
import { compileContract } from "../../generator/compile.js";

const data = `
struct Stock
  - left: uint32

type SoldOutData: Stock
  + dataOf = SoldOut
`;

function hostOf(name: string, more: string): string {
  return `webrpc = v1
name = ${name.toLowerCase()}
version = v1.0.0
${more}
error 1 SoldOut "sold out" HTTP 409

service ${name}
  - Order() errors SoldOut
`;
}

const documents: Readonly<Record<string, string>> = {
  "shop.ridl": hostOf("Shop", data),
  "store.ridl": hostOf("Store", ""),
};

it.each([[["shop.ridl", "store.ridl"]], [["store.ridl", "shop.ridl"]]])(
  "an error that hosts share carries data if one of %j declares it",
  (paths) => {
    const read = (path: string): string | null => documents[path] ?? null;
    const { value, diagnostics } = compileContract(paths, { read });
    expect(diagnostics).toEqual([]);
    expect(value?.errors).toMatchObject([{ name: "SoldOut", data: "Stock" }]);
  },
);
