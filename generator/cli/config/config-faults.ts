import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { Location } from "../../source/source.js";
import { settings, validate } from "./config-validator.js";

/** Gives the place of the value at `path`, or of its key. */
export type Locate = (
  path: readonly string[],
  part: "key" | "value",
) => Location;

/** What ajv says about one fault, as far as it is used. */
interface Fault {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Set where the fault is the name of a key, not its value. */
  readonly propertyName?: string;
}

/**
 * Checks the data of a configuration file against config.schema.json.
 *
 * Input: what the YAML text stands for, e.g. `{ schema: ["a.ridl"] }`.
 * Output: one diagnostic for each fault; empty when it is valid.
 */
export function explainFaults(data: unknown, locate: Locate): Diagnostic[] {
  if (validate(data)) return [];
  return readFaults()
    .filter(({ keyword }) => keyword !== "if" && keyword !== "propertyNames")
    .map((fault) => explain(fault, data, locate));
}

function readFaults(): readonly Fault[] {
  // The validator is JavaScript, and puts its findings on itself.
  const errors: unknown = Reflect.get(validate, "errors");
  return Array.isArray(errors) ? errors : [];
}

function explain(fault: Fault, data: unknown, locate: Locate): Diagnostic {
  const path = fault.instancePath.split("/").slice(1).map(unescapePointer);
  switch (fault.keyword) {
    case "additionalProperties":
      return explainUnknownKey(
        [...path, String(fault.params["additionalProperty"])],
        locate,
      );
    case "required":
      return {
        code: "missing-config-key",
        severity: "error",
        message: `the configuration does not say \`${String(fault.params["missingProperty"])}\``,
        location: locate(path, "value"),
        help: "add e.g. `schema: [schema/*.ridl]`",
      };
    default:
      return explainValue(fault, path, data, locate);
  }
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function explainUnknownKey(
  path: readonly string[],
  locate: Locate,
): Diagnostic {
  const key = path.at(-1) ?? "";
  const [outer = ""] = path;
  const known = settings.get(path.length === 1 ? "" : outer) ?? [];
  return {
    code: "unknown-config-key",
    severity: "error",
    message: `there is no setting \`${path.join(".")}\``,
    location: locate(path, "key"),
    help: `the settings are ${listOf(known)}`,
    ...didYouMean(key, known),
  };
}

function explainUnknownRule(
  rule: string,
  rules: readonly string[],
  path: readonly string[],
  locate: Locate,
): Diagnostic {
  return {
    code: "unknown-config-key",
    severity: "error",
    message: `there is no rule \`${rule}\``,
    location: locate([...path, rule], "key"),
    help: `docs/${path[0]}.md lists the rules`,
    ...didYouMean(rule, rules),
  };
}

function explainValue(
  fault: Fault,
  path: readonly string[],
  data: unknown,
  locate: Locate,
): Diagnostic {
  const allowed = fault.params["allowedValues"];
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  if (fault.propertyName !== undefined) {
    return explainUnknownRule(fault.propertyName, values, path, locate);
  }
  const value = valueAt(data, path);
  const name =
    path.length === 0 ? "the configuration" : `\`${path.join(".")}\``;
  return {
    code: "invalid-config-value",
    severity: "error",
    message: `${name} must be ${expectation(fault, values)}`,
    location: locate(path, "value"),
    ...(typeof value === "string" ? wayOut(fault, value, values) : {}),
    ...(fault.schemaPath.startsWith("#/then/") ? whereJavaScript : {}),
  };
}

/** What may be meant by a text that cannot be the value. */
function wayOut(
  { params }: Fault,
  value: string,
  values: readonly string[],
): { readonly help?: string } {
  return params["type"] === "array"
    ? { help: `write \`[${JSON.stringify(value)}]\`` }
    : didYouMean(value, values);
}

/** What else is said where a setting depends on `language`. */
const whereJavaScript = {
  help: "with `language: javascript`, imports name the files that run",
};

function expectation(fault: Fault, values: readonly string[]): string {
  switch (fault.keyword) {
    case "enum": {
      const isTarget = fault.instancePath.startsWith("/emit/");
      return `one of ${listOf(values)}${isTarget ? otherTargets : ""}`;
    }
    case "minItems":
      return "a list with at least one entry";
    case "pattern":
      return textFor(fault.instancePath);
    case "type":
      return types[String(fault.params["type"])] ?? "of another type";
    default:
      return `valid (${fault.keyword})`;
  }
}

/** What a text must be, by the place where it stands. */
function textFor(place: string): string {
  if (place.startsWith("/docs/addresses/")) {
    return "an address: `https://…`, or a path that begins with `/`";
  }
  return place.startsWith("/docs/") || place.startsWith("/breaking/")
    ? "a text that is not empty"
    : "a path with `/` between its parts";
}

const otherTargets = ", or a path such as `./my-emitter.js`";

const types: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  object: "a mapping of settings",
  string: "a text",
};

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? Reflect.get(value, key)
        : undefined,
    data,
  );
}

function didYouMean(
  word: string,
  candidates: readonly string[],
): { readonly help?: string } {
  const [close] = suggest(word, candidates);
  return close === undefined ? {} : { help: `did you mean \`${close}\`?` };
}
