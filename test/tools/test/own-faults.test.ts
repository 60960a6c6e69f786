import { expect, test } from "vitest";
import { printText } from "../../../tools/test/print/print-text.js";
import { serve, testShop } from "./shop.js";

test("a fault of the test itself does not count as success", async () => {
  const tested = testShop(await serve(), "Shop.Echo", { runs: 5 }, () => ({
    findViolation: () => {
      throw new Error("a fault of ours");
    },
  }));
  await expect(tested).rejects.toThrow("a fault of ours");
});

test("data that is nested too deeply for clients is a failure", async () => {
  const data = "[".repeat(2000) + "]".repeat(2000);
  const text = `{"error":"SoldOut","code":1409,"msg":"","status":409,"data":${data}}`;
  const headers = { "content-type": "application/json" };
  const fetch = await serve({
    wrap: async (request, handle) => {
      const answer = await handle(request);
      return answer.ok ? new Response(text, { status: 409, headers }) : answer;
    },
  });
  const report = await testShop(fetch, "Shop.AddBook", { runs: 5 });
  expect(printText(report)).toContain("the body is nested too deeply");
});
