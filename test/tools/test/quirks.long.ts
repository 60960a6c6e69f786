import { expect, test } from "vitest";
import { failuresOf } from "../../../tools/test/report.js";
import { testShop } from "./shop.js";
import { answerAsGo } from "./webrpc-servers.js";

test("accepts the known differences in servers that webrpc generates, for every type", async () => {
  const strict = await testShop(answerAsGo, "Shop.Echo");
  expect(failuresOf(strict)).not.toEqual([]);
  const allowed = { allowsQuirks: true };
  const report = await testShop(answerAsGo, "Shop.Echo", allowed);
  expect(failuresOf(report)).toEqual([]);
});
