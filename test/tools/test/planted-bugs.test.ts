import { expect, test } from "vitest";
import { printText } from "../../../tools/test/print/print-text.js";
import { failuresOf } from "../../../tools/test/report.js";
import { drawSome } from "../../support/draw-some.js";
import { bugs, expectFound } from "./planted-bugs.js";
import { serve, testShop } from "./shop.js";

/** The bugs that do not need a changed contract, in methods with few fields. */
const quick = bugs.filter(
  ([, name, { contract }]) => contract === undefined && name !== "Echo",
);

test.each(drawSome(quick, 4))("finds %s", (...bug) => expectFound(bug));

test("reports a rejected credential only once", async () => {
  const wrap = (
    request: Request,
    handle: (request: Request) => Promise<Response>,
  ): Promise<Response> => {
    request.headers.set("x-key", "bad");
    return handle(request);
  };
  const report = await testShop(await serve({ wrap }), "Shop.MyBooks");
  expect(failuresOf(report).map(([, { error }]) => error)).toEqual([
    "Unauthorized",
  ]);
  expect(printText(report)).toContain(
    "note: the server rejects the given value of `X-Key`, so these methods were barely tested: Shop.MyBooks; check the value",
  );
  expect(printText(report)).not.toContain("never succeeded");
});
