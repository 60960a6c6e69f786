import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { isRecord } from "../../generator/ir/is-record.js";
import written from "../../config.schema.json" with { type: "json" };
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import type { Location } from "../../generator/source/source.js";

/** Returns the location of the value at `path`, or of its key. */
export type Locate = (
  path: readonly string[],
  part: "key" | "value",
) => Location;

/** A value in the configuration and its location. */
interface Setting {
  readonly value: unknown;
  /** Keys from the outermost to its own, e.g. `["lint", "rules"]`. */
  readonly path: readonly string[];
  readonly locate: Locate;
}

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Checks the data of a configuration file against config.schema.json. Returns
 * one diagnostic for each error.
 */
export function explainFaults(value: unknown, locate: Locate): Diagnostic[] {
  return faultsOf(configSchema, { value, path: [], locate });
}

function faultsOf(reference: Schema, setting: Setting): Diagnostic[] {
  const schema = resolveSchema(reference);
  const { value } = setting;
  if (schema.type !== undefined && !hasType[schema.type]?.(value)) {
    return [explainType(schema, schema.type, setting)];
  }
  return [
    ...faultsOfText(schema, setting),
    ...(Array.isArray(value) ? faultsOfList(schema, value, setting) : []),
    ...(isRecord(value) ? faultsOfMapping(schema, value, setting) : []),
    ...faultsOfCase(schema, setting),
  ];
}

const hasType: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === "boolean",
  object: isRecord,
  string: (value) => typeof value === "string",
};

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  object: "a mapping of settings",
  string: "a string",
};

function explainType(
  { required }: Schema,
  type: string,
  setting: Setting,
): Diagnostic {
  const { path, value } = setting;
  const fault = explainValue(`must be ${typeNames[type]}`, setting);
  if (type === "array" && typeof value === "string") {
    return { ...fault, help: `write \`[${JSON.stringify(value)}]\`` };
  }
  const name = type === "string" && isRecord(value) ? value["name"] : null;
  if (typeof name === "string") {
    return { ...fault, help: `write \`${path.at(-1)}: ${name}\`` };
  }
  const wantsDefaults = value === true || value === null;
  return type === "object" && wantsDefaults && required === undefined
    ? { ...fault, help: `write \`${path.at(-1)}: {}\` for the defaults` }
    : fault;
}

function faultsOfText(schema: Schema, setting: Setting): Diagnostic[] {
  const { errorMessage, pattern } = schema;
  const { value } = setting;
  const allowed = schema.const === undefined ? schema.enum : [schema.const];
  if (allowed !== undefined && !allowed.some((each) => each === value)) {
    const words = allowed.map((each) => (each === "" ? '""' : String(each)));
    const message = errorMessage ?? `must be one of ${listOf(words)}`;
    return [
      {
        ...explainValue(message, setting),
        ...(typeof value === "string" && suggestHelp(value, words)),
        ...(typeof value === "number" && suggestQuotes(value, words)),
      },
    ];
  }
  const isRefused =
    pattern !== undefined &&
    typeof value === "string" &&
    !new RegExp(pattern, "u").test(value);
  return isRefused ? [explainValue(errorMessage ?? "", setting)] : [];
}

/** YAML reads `3.0` as a number. */
function suggestQuotes(value: number, words: readonly string[]) {
  const word = words.find((each) => Number(each) === value);
  return word !== undefined && { help: `write it in quotes: \`"${word}"\`` };
}

function faultsOfList(
  { items = {}, minItems = 0 }: Schema,
  values: readonly unknown[],
  setting: Setting,
): Diagnostic[] {
  if (values.length < minItems) {
    return [explainValue("must be a list with at least one entry", setting)];
  }
  return values.flatMap((value, index) =>
    faultsOf(items, within(setting, String(index), value)),
  );
}

function faultsOfMapping(
  schema: Schema,
  values: Mapping,
  setting: Setting,
): Diagnostic[] {
  const { additionalProperties = true, propertyNames, required } = schema;
  const { dependencies = {}, maxProperties = Infinity } = schema;
  const { minProperties = 0, properties = {} } = schema;
  const size = Object.keys(values).length;
  if (size < minProperties || size > maxProperties) {
    return [explainValue("must have a single key, a target", setting)];
  }
  const missing = (required ?? []).filter((key) => !Object.hasOwn(values, key));
  return [
    ...missing.map((key) => explainMissing(key, setting)),
    ...Object.entries(values).flatMap(([key, value]) => {
      const inner = within(setting, key, value);
      if (propertyNames?.enum?.includes(key) === false) {
        const help = `docs/${inner.path[0]}.md describes the rules`;
        return [explainUnknown("rule", key, propertyNames.enum, help, inner)];
      }
      const known = Object.hasOwn(properties, key)
        ? properties[key]
        : (matchPattern(schema, key) ?? additionalProperties);
      if (known === false) {
        const keys = Object.keys(properties);
        const help = schema.errorMessage ?? `the settings are ${listOf(keys)}`;
        const name = inner.path.join(".");
        return [explainUnknown("setting", name, keys, help, inner)];
      }
      return typeof known === "object" ? faultsOf(known, inner) : [];
    }),
    ...Object.entries(dependencies).flatMap(([key, schema]) =>
      Object.hasOwn(values, key) ? faultsOf(schema, setting) : [],
    ),
  ];
}

/** Returns the schema of keys that match a pattern. */
function matchPattern(
  { patternProperties = {} }: Schema,
  key: string,
): Schema | undefined {
  return Object.entries(patternProperties).find(([pattern]) =>
    new RegExp(pattern, "u").test(key),
  )?.[1];
}

function faultsOfCase(schema: Schema, setting: Setting): Diagnostic[] {
  if (schema.if === undefined) return [];
  const isCase = faultsOf(schema.if, setting).length === 0;
  return faultsOf((isCase ? schema.then : schema.else) ?? {}, setting);
}

function within(setting: Setting, key: string, value: unknown): Setting {
  return { ...setting, value, path: [...setting.path, key] };
}

function explainMissing(key: string, { locate, path }: Setting): Diagnostic {
  return {
    code: "missing-config-key",
    severity: "error",
    message: `${nameOf(path)} has no \`${key}\``,
    location: locate(path, "value"),
    ...(path.length === 0 && {
      help: "for example, add `schema: [schema/*.ridl]`",
    }),
  };
}

function explainUnknown(
  what: "rule" | "setting",
  name: string,
  known: readonly string[],
  help: string,
  { locate, path }: Setting,
): Diagnostic {
  return {
    code: "unknown-config-key",
    severity: "error",
    message: `there is no ${what} \`${name}\``,
    location: locate(path, "key"),
    help,
    ...suggestHelp(path.at(-1) ?? "", known),
  };
}

function explainValue(message: string, { locate, path }: Setting): Diagnostic {
  return {
    code: "invalid-config-value",
    severity: "error",
    message: `${nameOf(path)} ${message}`,
    location: locate(path, "value"),
  };
}

function nameOf(path: readonly string[]): string {
  return path.length === 0 ? "the configuration" : `\`${path.join(".")}\``;
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** The keywords of JSON Schema that config.schema.json uses. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: boolean | string;
  readonly pattern?: string;
  /** Describes valid values, e.g. "must be a list of paths". */
  readonly errorMessage?: string;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly properties?: Schemas;
  readonly patternProperties?: Schemas;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  /** Schemas that also apply if the property of that name is present. */
  readonly dependencies?: Schemas;
  /** The options whose default differs, by the name of a target in `emit`. */
  readonly implies?: Readonly<Record<string, Partial<EmitOptions>>>;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

type Schemas = Readonly<Record<string, Schema>>;

/** The schema of the configuration file, config.schema.json. */
export const configSchema: Schema = written;

/** Follows a reference, e.g. `#/definitions/path`. */
export function resolveSchema(schema: Schema): Schema {
  const name = schema.$ref?.slice("#/definitions/".length);
  return name === undefined ? schema : schemaNamed(name);
}

/** Returns a definition, e.g. of `target`, the names that `emit` reserves. */
export function schemaNamed(name: string): Schema {
  const definitions: Schemas = written.definitions;
  return definitions[name] ?? {};
}
