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
  /** Examples of the settings beside it that it requires, by name. */
  readonly required: Readonly<Record<string, unknown>>;
}

/** Returns all settings, each before its nested ones. */
export function readSettings(
  schema: Schema = configSchema,
  before: readonly string[] = [],
): readonly Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = [...before, name];
    const required = requiredBy(name, schema);
    return [{ path, schema: inner, required }, ...readSettings(inner, path)];
  });
}

/** Returns examples of the settings that another one requires, by name. */
function requiredBy(name: string, schema: Schema): Record<string, unknown> {
  const { dependencies = {}, properties = {} } = schema;
  const names = dependencies[name]?.required ?? [];
  return Object.fromEntries(
    names.flatMap((each) => [
      ...Object.entries(requiredBy(each, schema)),
      [each, properties[each]?.examples?.[0]],
    ]),
  );
}

/** Returns the setting of a target, before its nested ones. */
export function readTargetSettings(
  target: string,
  { example, schema }: TargetSetting,
): readonly Setting[] {
  const described: Schema = { ...schema, examples: [example] };
  const path = [target];
  return [
    { path, schema: described, required: {} },
    ...readSettings(described, path),
  ];
}

/** Creates a configuration with one example of a setting. */
export function exampleOf(setting: Setting, example: unknown): unknown {
  const { path, required } = setting;
  const name = path[path.length - 1] ?? "";
  return path
    .slice(0, -1)
    .reduceRight<object>((value, each) => ({ [each]: value }), {
      ...required,
      [name]: example,
    });
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
