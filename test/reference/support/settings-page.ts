import { stringify } from "yaml";
import {
  configSchema,
  resolveSchema,
  type Schema,
} from "../../../generator/cli/config/config-schema.js";
import { firstSentence, type ReferencePart } from "./index-page.js";

/** The settings as the first page of the reference lists them. */
export const settingsPart: ReferencePart = {
  title: "Settings",
  intro: "The settings of `ridl.config.yaml`, on one page.",
  links: readSettings()
    .filter(({ path }) => path.length === 1)
    .map(({ path: [name = ""], schema: { description = "" } }) => {
      const link = `[\`${name}\`](settings.md#${name.toLowerCase()})`;
      return [link, linkPages(firstSentence(description))];
    }),
};

/** A setting by its path, e.g. `["docs", "title"]`. */
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

/** Creates a configuration with one example of a setting. */
export function exampleOf({ path }: Setting, example: unknown): unknown {
  return path.reduceRight((value, name) => ({ [name]: value }), example);
}

/** Prints the page of all settings. */
export function printSettings(settings: readonly Setting[]): string {
  return `${[intro, ...settings.flatMap(printSetting)].join("\n\n")}\n`;
}

const intro = `# Settings

The settings of \`ridl.config.yaml\`, which [the command line](../cli.md#ridlconfigyaml) introduces. The comment \`# yaml-language-server: $schema=node_modules/ridlkit/config.schema.json\` in its first line makes editors complete and check it.`;

function printSetting(setting: Setting): readonly string[] {
  const { path, schema } = setting;
  const level = "#".repeat(path.length + 1);
  const values = valuesOf(schema);
  const examples = (schema.examples ?? []).map(
    (example) => `\`\`\`yaml\n${stringify(exampleOf(setting, example))}\`\`\``,
  );
  return [
    `${level} \`${path.join(".")}\``,
    linkPages(schema.description ?? ""),
    ...(values === "" ? [] : [`Values: ${values}.`]),
    ...examples,
  ];
}

function linkPages(text: string): string {
  return text.replace(/\bdocs\/([\w-]+\.md)/gu, "[docs/$1](../$1)");
}

function valuesOf(reference: Schema): string {
  const schema = resolveSchema(reference);
  const { additionalProperties, items, propertyNames, type } = schema;
  if (schema.enum) return schema.enum.map((each) => codeOf(each)).join(", ");
  if (type === "boolean") return "`true`, `false`";
  if (items) {
    const inner = valuesOf(items.else?.else ?? items);
    return inner === "" ? "a list of strings" : `a list of ${inner}`;
  }
  if (typeof additionalProperties !== "object") return "";
  const keys = propertyNames === undefined ? "names" : "rules";
  const inner = valuesOf(additionalProperties);
  return `a map from ${keys} to ${inner === "" ? "texts" : inner}`;
}

function codeOf(value: string): string {
  return value === "" ? '`""`' : `\`${value}\``;
}
