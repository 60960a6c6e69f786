import { expect, test } from "vitest";
import { referenceFolder } from "./support/expect-pages.js";
import { printIndex } from "./support/index-page.js";
import { runtimeEntries } from "../support/runtime-entries.js";
import { runtimePart } from "./support/runtime-pages.js";

test("docs/reference lists every page", async () => {
  const text = printIndex([runtimePart(Object.keys(runtimeEntries))]);
  const path = `../../${referenceFolder}/README.md`;
  await expect(text).toMatchFileSnapshot(path);
});
