import { stringify } from "yaml";
import type { TargetSetting } from "../../../generator/4-emit/emitter/target.js";
import {
  configSchema,
  resolveSchema,
  type Schema,
} from "../../../cli/config/config-faults.js";
import { firstSentence, type ReferencePart } from "./index-page.js";

/** The settings as the first page of the reference lists them. */
export const settingsPart: ReferencePart = {
  title: "Settings",
  intro:
    "The settings of `ridl.config.yaml`. The page about [the command line](../cli.md#ridlconfigyaml) introduces this file. If the file's first line is the comment `# yaml-language-server: $schema=node_modules/ridlkit/config.schema.json`, editors can complete and validate the file.",
  links: Object.entries(configSchema.properties ?? {}).map(
    ([name, { description = "" }]) => [
      `[\`${name}\`](settings/${name}.md)`,
      linkPages(firstSentence(description), ".."),
    ],
  ),
};

/** A setting identified by its path, such as `["lint", "rules"]`. */
export interface Setting {
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** Returns all settings, each before its nested ones. */
export function readSettings(
  schema: Schema = configSchema,
  before: readonly string[] = [],
): readonly Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = [...before, name];
    return [{ path, schema: inner }, ...readSettings(inner, path)];
  });
}

/** Returns the setting of a target, before its nested ones. */
export function readTargetSettings(
  target: string,
  { example, schema }: TargetSetting,
): readonly Setting[] {
  const described: Schema = { ...schema, examples: [example] };
  const path = [target];
  return [{ path, schema: described }, ...readSettings(described, path)];
}

/** Creates a configuration with one example of a setting. */
export function exampleOf({ path }: Setting, example: unknown): unknown {
  return path.reduceRight((value, name) => ({ [name]: value }), example);
}

/** Creates a configuration with one example of a setting of a target. */
export function targetExampleOf(setting: Setting, example: unknown): unknown {
  return { emit: [exampleOf(setting, example)] };
}

/** Prints the setting of a target, and its nested settings. */
export function printSettingOf(
  target: string,
  setting: TargetSetting,
): readonly string[] {
  return readTargetSettings(target, setting).flatMap((each) => {
    const [, ...lines] = describeSetting(each, targetExampleOf);
    const [, ...path] = each.path;
    return path.length === 0 ? lines : [`### \`${path.join(".")}\``, ...lines];
  });
}

/** Prints a page for each top-level setting, with its nested settings. */
export function printSettings(): ReadonlyMap<string, string> {
  const settings = readSettings();
  const names = Object.keys(configSchema.properties ?? {});
  return new Map(
    names.map((name) => {
      const own = settings.filter(({ path }) => path[0] === name);
      const parts = own.flatMap((each) => describeSetting(each, exampleOf));
      return [`${name}.md`, `${parts.join("\n\n")}\n`];
    }),
  );
}

function describeSetting(
  setting: Setting,
  exampleOf: (setting: Setting, example: unknown) => unknown,
): readonly string[] {
  const { path, schema } = setting;
  const level = "#".repeat(path.length);
  const values = valuesOf(schema);
  const examples = (schema.examples ?? []).map(
    (example) => `\`\`\`yaml\n${stringify(exampleOf(setting, example))}\`\`\``,
  );
  return [
    `${level} \`${path.join(".")}\`${path.length === 1 ? " setting" : ""}`,
    linkPages(schema.description ?? "", "../.."),
    ...(values === "" ? [] : [`Values: ${values}.`]),
    ...examples,
  ];
}

function linkPages(text: string, docs: string): string {
  return text.replace(
    /\bdocs\/([\w-]+\.md)(#[\w-]+)?/gu,
    `[docs/$1](${docs}/$1$2)`,
  );
}

function valuesOf(reference: Schema): string {
  const schema = resolveSchema(reference);
  const { additionalProperties, items, propertyNames, type } = schema;
  if (schema.enum) return schema.enum.map((each) => codeOf(each)).join(", ");
  if (type === "boolean") return "`true`, `false`";
  if (items) {
    const inner = valuesOf(items.else?.else?.if ?? items);
    return inner === "" ? "a list of strings" : `a list of ${inner}`;
  }
  if (typeof additionalProperties !== "object") return "";
  const keys = propertyNames === undefined ? "names" : "rules";
  const inner = valuesOf(additionalProperties);
  return `a map from ${keys} to ${inner === "" ? "strings" : inner}`;
}

function codeOf(value: string): string {
  return value === "" ? '`""`' : `\`${value}\``;
}
