import { stringify } from "yaml";
import { expect, test } from "vitest";
import { readConfig } from "../../generator/cli/config/read-config.js";
import { expectPages, referenceFolder } from "./support/expect-pages.js";
import {
  exampleOf,
  printSettings,
  readSettings,
} from "./support/settings-page.js";

const settings = readSettings();

test("docs/reference/settings describes every setting", async () => {
  await expectPages(`${referenceFolder}/settings`, printSettings());
});

test.each(settings.map((each) => [each.path.join("."), each] as const))(
  "the setting %s is required or has a default, and has valid examples",
  (_name, setting) => {
    const { description = "", examples = [] } = setting.schema;
    expect(description).toMatch(/ (?:Default: .+|Required)\.$/u);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const data = {
        schema: ["a.ridl"],
        ...Object(exampleOf(setting, example)),
      };
      const text = stringify(data);
      const { diagnostics } = readConfig({ path: "ridl.config.yaml", text });
      expect(diagnostics).toEqual([]);
    }
  },
);
