import { expect, test } from "vitest";
import { expectPages, referenceFolder } from "./support/expect-pages.js";
import { findStrayTargets, printTargets } from "./support/target-pages.js";

test("docs/reference/targets shows the output of every target", async () => {
  expect(findStrayTargets()).toEqual([]);
  await expectPages(`${referenceFolder}/targets`, await printTargets());
});
