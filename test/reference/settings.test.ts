import { stringify } from "yaml";
import { expect, test } from "vitest";
import { readConfig } from "../../cli/config/read-config.js";
import { expectPages, referenceFolder } from "./support/expect-pages.js";
import {
  exampleOf,
  printSettings,
  readSettings,
  readTargetSettings,
  targetExampleOf,
} from "./support/settings-page.js";
import { allTargets } from "./support/target-pages.js";

const settings = [
  ...readSettings().map((setting) => ({ setting, toData: exampleOf })),
  ...allTargets.flatMap(({ name, setting }) =>
    setting === undefined
      ? []
      : readTargetSettings(name, setting).map((each) => ({
          setting: each,
          toData: targetExampleOf,
        })),
  ),
];

test("docs/reference/settings describes every setting", async () => {
  await expectPages(`${referenceFolder}/settings`, printSettings());
});

test.each(settings.map((each) => [each.setting.path.join("."), each] as const))(
  "the setting %s is required or has a default, and has valid examples",
  (_name, { setting, toData }) => {
    const { description = "", examples = [] } = setting.schema;
    expect(description).toMatch(/ (?:Default: .+|Required)\.$/u);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const data = {
        schema: ["a.ridl"],
        ...Object(toData(setting, example)),
      };
      const text = stringify(data);
      const { diagnostics } = readConfig({ path: "ridl.config.yaml", text });
      expect(diagnostics).toEqual([]);
    }
  },
);

/** Prints a configuration without the places of its settings. */
function describeConfig(data: object): string {
  const text = stringify({ schema: ["a.ridl"], ...data });
  const { value } = readConfig({ path: "ridl.config.yaml", text });
  return JSON.stringify(value, (key, each: unknown) =>
    ["keys", "location"].includes(key) ? undefined : each,
  );
}

test.each(settings.map((each) => [each.setting.path.join("."), each] as const))(
  "the setting %s changes the configuration",
  (_name, { setting, toData }) => {
    const { examples = [] } = setting.schema;
    const changed = examples.filter(
      (example) =>
        describeConfig(Object(toData(setting, example))) !== describeConfig({}),
    );
    expect(changed.length).toBeGreaterThan(0);
  },
);
