import { expect, it } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { omitUnused } from "../../generator/values/filter-contract.js";

const errors = `webrpc = v1

struct Stock
  - next?: Delivery

struct Delivery
  - at: timestamp

type SoldOutData: Stock
  + dataOf = SoldOut

error 1 SoldOut "sold out" HTTP 409
error 2 Closed "closed" HTTP 503
`;

function compile(method: string) {
  const shop = `webrpc = v1
name = shop
version = v1.0.0

import "errors.ridl"
  - SoldOut
  - Closed

service Shop
  ${method}
`;
  const { value } = compileContract(["shop.ridl"], {
    read: (path) => (path === "shop.ridl" ? shop : errors),
  });
  return value ?? expect.unreachable();
}

it("keeps the types of an error's data if only the error is imported", () => {
  const { errors, types } = compile("- Order() errors SoldOut");
  expect(errors.map(({ data }) => data)).toEqual(["Stock", null]);
  expect(types.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Stock", "Delivery", "SoldOutData"]),
  );
});

it.each([
  ["- Order() errors SoldOut", ["Stock", "Delivery"]],
  ["- Order() errors Closed", []],
])("keeps the types of data that `%s` needs", (method, expected) => {
  const { types } = omitUnused(compile(method));
  expect(types.map(({ name }) => name)).toEqual(expected);
});
