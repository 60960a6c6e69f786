import { expect, test } from "vitest";
import { failuresOf } from "../../../tools/test/report.js";
import { bugs, expectFound } from "./planted-bugs.js";
import { serve, testShop } from "./shop.js";

test("reports no fault for a server that follows its contract", async () => {
  const report = await testShop(await serve());
  expect(failuresOf(report).map(([, failure]) => failure)).toEqual([]);
  expect(report.methods.map(({ method }) => method)).toHaveLength(8);
  for (const { answers, checks, method } of report.methods) {
    expect(answers["success"], method).toBeGreaterThan(20);
    expect(checks.every(({ isCutShort }) => !isCutShort)).toBe(true);
  }
});

test.each(bugs)("finds %s", (...bug) => expectFound(bug));
