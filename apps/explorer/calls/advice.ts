import type {
  LimitsData,
  ScalarData,
  InputForm,
  TypeReference,
} from "../../../generator/4-emit/docs/explorer-data.js";
import { readJson } from "./json-text.js";
import type { Model, Shape } from "./model.js";

/**
 * Returns a description of the expected value, or null if the text is valid or
 * empty. This is only advice: the server decides.
 */
export function adviceFor(
  model: Model,
  type: TypeReference,
  limits: LimitsData | undefined,
  text: string,
): string | null {
  const shape = model.shape(type, limits);
  if (text === "" || fits(shape, text)) return null;
  return `expected ${titleOf(model, type, shape)}`;
}

/**
 * Returns the description of a value: its title in the schema or its type, and
 * its limits.
 */
export function titleOf(
  model: Model,
  type: TypeReference,
  shape: Shape,
): string {
  const { title } = model.aliases(type).find((alias) => alias.title) ?? {};
  if (shape.kind === "bytes") return title ?? "base64";
  if (shape.kind !== "scalar") return title ?? "another value";
  if (title === undefined && shape.limits.enum !== undefined)
    return listText(shape.limits.enum);
  const { form, title: rule } = shape.scalar;
  const name = title ?? rule ?? titles[form];
  // If there is a title, omit limits that it mentions, and those at the largest
  // safe integer.
  const limits = limitTexts(shape.limits).filter(
    (text) => title === undefined || !(title.includes(text) || isSafe(text)),
  );
  return limits.length === 0 ? name : `${name}, ${limits.join(", ")}`;
}

/** Whether the text of a limit contains the largest safe integer. */
function isSafe(text: string): boolean {
  return text.includes("2⁵³−1");
}

const titles: Readonly<Record<InputForm, string>> = {
  boolean: "true or false",
  file: "a file",
  formatted: "text",
  integer: "a whole number",
  "integer-text": "a whole number",
  json: "JSON",
  null: "null",
  number: "a number",
  text: "text",
};

function fits(shape: Shape, text: string): boolean {
  if (shape.kind === "bytes") return /^[A-Za-z0-9+/]*={0,2}$/u.test(text);
  if (shape.kind !== "scalar") return true;
  const { limits, scalar } = shape;
  if (limits.enum !== undefined) return limits.enum.includes(text);
  switch (scalar.form) {
    case "json":
      return readJson(text) !== null;
    case "boolean":
      return text === "true" || text === "false";
    case "text":
      return fitsText(text, limits);
    case "formatted":
      return fitsFormat(text, scalar) && fitsText(text, limits);
    case "file":
    case "null":
      return true;
    case "number":
      return (
        /^-?[\d.]+(?:[eE][+-]?\d+)?$/u.test(text) &&
        isWithin(Number(text), limits, Number)
      );
    case "integer":
    case "integer-text":
      return /^-?\d+$/u.test(text) && isWithin(BigInt(text), limits, BigInt);
  }
}

function isWithin<N extends number | bigint>(
  value: N,
  { maximum, minimum }: LimitsData,
  read: (text: string) => N,
): boolean {
  return (
    (minimum === undefined || value >= read(minimum)) &&
    (maximum === undefined || value <= read(maximum))
  );
}

function fitsFormat(text: string, { format, pattern }: ScalarData): boolean {
  return (
    (format !== "date-time" || !Number.isNaN(Date.parse(text))) &&
    (pattern === undefined || matches(text, pattern))
  );
}

function fitsText(text: string, limits: LimitsData): boolean {
  const { format, maxLength, minLength, pattern } = limits;
  const length = [...text].length;
  return (
    length >= (minLength ?? 0) &&
    length <= (maxLength ?? Infinity) &&
    (pattern === undefined || matches(text, pattern)) &&
    (format === undefined || URL.canParse(text))
  );
}

/**
 * Longer strings are not checked, because a slow pattern would block the page.
 */
const longestMatched = 2000;

function matches(text: string, pattern: string): boolean {
  if (text.length > longestMatched) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

/** Describes limits, e.g. `at most 100 items`. */
export function limitTexts(limits: LimitsData): readonly string[] {
  const { enum: listed, maximum, minimum } = limits;
  return [
    ...(listed === undefined ? [] : [listText(listed)]),
    ...rangeText(minimum, maximum),
    ...countText(limits.minLength, limits.maxLength, "character"),
    ...countText(limits.minItems, limits.maxItems, "item"),
    ...countText(limits.minProperties, limits.maxProperties, "entry"),
    ...(limits.uniqueItems ? ["no duplicates"] : []),
    ...(limits.format === "uri" ? ["an http or https address"] : []),
  ];
}

/** Maximum number of values that a text lists. */
const maxListed = 12;

function listText(values: readonly string[]): string {
  const texts = values.map((value) => (value === "" ? '""' : value));
  const shown = texts.slice(0, maxListed).join(", ");
  const rest = values.length - maxListed;
  if (values.length === 1) return `always ${shown}`;
  return rest > 0 ? `one of ${shown} and ${rest} more` : `one of ${shown}`;
}

/** The largest safe integer, which is shown as 2⁵³−1. */
const safe = String(Number.MAX_SAFE_INTEGER);

function rangeText(minimum?: string, maximum?: string): readonly string[] {
  const most = maximum === safe ? "2⁵³−1" : maximum;
  const least = minimum === `-${safe}` ? "−(2⁵³−1)" : minimum;
  if (least !== undefined && most !== undefined) return [`${least} to ${most}`];
  if (least !== undefined) return [`at least ${least}`];
  return most === undefined ? [] : [`at most ${most}`];
}

function countText(
  least: number | undefined,
  most: number | undefined,
  noun: string,
): readonly string[] {
  const plural = noun === "entry" ? "entries" : `${noun}s`;
  const count = (number: number): string =>
    `${number} ${number === 1 ? noun : plural}`;
  if (least !== undefined && least === most) return [`exactly ${count(least)}`];
  return [
    ...(least === undefined ? [] : [`at least ${count(least)}`]),
    ...(most === undefined ? [] : [`at most ${count(most)}`]),
  ];
}
