import { expect, test } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import { compileContract } from "../../generator/compile.js";
import { targetsWith } from "../support/golden-cases.js";

const text = `webrpc = v1

name = shop
version = v1.0.0

service Shop
  - Find()
  - ListOrdersOfCustomersOfPartnersInEurope()
  - ListOrdersOfCustomersOfPartnersInTheUnitedStates()
  - ListOrdersOfPartnersOfCustomersInTheUnitedStates()
  - ListOrdersOfCustomersOfTheWholeRegion()
  - ListOrdersOfCustomersOfTheWholeRegions()

service OrdersOfTheWholeCompany
  - ListOrders()
  - ListOrdersOfCustomersOfPartners()

service OrdersOfTheWholeCountry
  - ListOrders()
`;

test("names of tools leave room for a prefix, and keep the method", () => {
  const { value } = compileContract(["shop.ridl"], { read: () => text });
  if (value === null) throw new Error("invalid");
  const files = emitContract(
    value,
    targetsWith({ mcp: null }),
    {
      ...{ int64: "number", timestamp: "string" },
      ...{ runtime: "import", importExtension: ".js" },
    },
    { runtimeSources: new Map() },
  );
  const tools = files.find(({ path }) => path === "mcp.ts")?.text ?? "";
  const rows = tools.matchAll(/^ {2}(\w+)(?<!Re\w+): \{$/gmu);
  expect(Array.from(rows, ([, name]) => name)).toEqual([
    "Shop_Find",
    // Of methods with 39, 48, 48, 37 and 38 letters.
    "ListOrdersOfCustomersOfPartners_a0d731",
    "ListOrdersOfCustomersOfPartners_33a881",
    "ListOrdersOfPartnersOfCustomers_12de6d",
    "ListOrdersOfCustomersOfTheWhole_12dc8c",
    "ListOrdersOfCustomersOfTheWhole_543164",
    "OrdersOfTheWholeCompany_ListOrders",
    "Orders_ListOrdersOfCustomersOfPartners",
    "OrdersOfTheWholeCountry_ListOrders",
  ]);
});
