import { expect, test } from "vitest";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { createProgram } from "../../cli/program.js";
import { commandsPart } from "./support/command-pages.js";
import { referenceFolder } from "./support/expect-pages.js";
import { printIndex } from "./support/index-page.js";
import { runtimeEntries } from "../support/runtime-entries.js";
import { libraryPart, runtimeParts } from "./support/create-api-pages.js";
import { settingsPart } from "./support/settings-page.js";
import { tablesPart } from "./support/tables-part.js";
import { targetsPart } from "./support/target-pages.js";

test("docs/reference lists every page", async () => {
  const program = createProgram(createNodeSystem(), () => {});
  const text = printIndex([
    commandsPart(program),
    settingsPart,
    targetsPart,
    ...runtimeParts(Object.keys(runtimeEntries)),
    libraryPart(),
    tablesPart,
  ]);
  const path = `../../${referenceFolder}/README.md`;
  await expect(text).toMatchFileSnapshot(path);
});
