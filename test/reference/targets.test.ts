import { test } from "vitest";
import { expectPages, referenceFolder } from "./support/expect-pages.js";
import { printTargets } from "./support/target-pages.js";

test("docs/reference/targets shows the output of every target", async () => {
  await expectPages(`${referenceFolder}/targets`, await printTargets());
});
