import { expect, test } from "vitest";
import { printText } from "../../../tools/test/print/print-text.js";
import { failuresOf, quirksOf } from "../../../tools/test/report.js";
import { type Bug, serve, testShop } from "./shop.js";
import { answerAsGo, answerAsTypescript } from "./webrpc-servers.js";

const allowed = { allowsQuirks: true };

test("names the differences in Go servers that webrpc generates", async () => {
  const strict = await testShop(answerAsGo, "Shop.GetBook");
  expect(failuresOf(strict)).not.toEqual([]);
  expect(printText(strict)).toContain("`--webrpc` accepts its differences");
  const read = await testShop(answerAsGo, "Shop.GetBook", allowed);
  expect(failuresOf(read)).toEqual([]);
  expect([...quirksOf(read).keys()].sort()).toEqual([
    "bad-request",
    "null-for-empty",
    "unvalidated-message",
  ]);
  expect(printText(read)).toContain(
    "  null-for-empty: returns null for empty lists, maps and bytes\n    curl ",
  );
});

test("names the differences in TypeScript servers that webrpc generates", async () => {
  const match = "Shop.GetBook";
  const report = await testShop(answerAsTypescript, match, allowed);
  expect(failuresOf(report)).toEqual([]);
  expect([...quirksOf(report).keys()].sort()).toEqual([
    "typescript-envelope",
    "unchecked-content-type",
    "unchecked-verb",
    "unvalidated-message",
  ]);
});

const wrong: Bug = {
  wrap: async (request, handle) => {
    const answer = await handle(request);
    const text = await answer.text();
    return new Response(text.replace('"price":64', '"price":"64"'), answer);
  },
};

test("reports faults that are not known differences in webrpc", async () => {
  const report = await testShop(await serve(wrong), "Shop.GetBook", allowed);
  const kinds = failuresOf(report).map(([, { kind }]) => kind);
  expect(kinds).toContain("invalid-response");
  expect(quirksOf(report).size).toBe(0);
});
