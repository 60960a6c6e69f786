import { isRecord } from "../../../generator/ir/is-record.js";
import type { OldType } from "../../../generator/values/history.js";

/** Thrown for a file that is not a history. */
export class InvalidHistory extends Error {}

/** Returns a member of an object of the file, or undefined. */
export function memberOf(value: unknown, name: string): unknown {
  const record = recordOf(value);
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns an object of the file. Errors: InvalidHistory for other values. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new InvalidHistory();
  return value;
}

/** Returns a list of the file. Errors: InvalidHistory for other values. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new InvalidHistory();
  return value;
}

/** Returns a text of the file. Errors: InvalidHistory for other values. */
export function toText(value: unknown): string {
  if (typeof value !== "string") throw new InvalidHistory();
  return value;
}

/** Checks each member of a type. */
const members: Readonly<
  Record<keyof OldType, (value: unknown) => OldType[keyof OldType]>
> = {
  type: (value) => oneOf(types, value),
  isText: toTrue,
  mayBeAbsent: toTrue,
  mayBeNull: toTrue,
  mayBeInteger: toTrue,
  enum: (value) => listOf(value).map(toValue),
  minimum: toLimit,
  maximum: toLimit,
  min: toNumber,
  max: toNumber,
  isUnique: toTrue,
  patterns: (value) => listOf(value).map(toPattern),
  format: (value) => oneOf(formats, value),
  items: parseOldType,
  keys: parseOldType,
  fields: (value) =>
    Object.fromEntries(
      Object.entries(recordOf(value)).map(([name, field]) => [
        name,
        parseOldType(field),
      ]),
    ),
  rest: parseOldType,
  variants: (value) => listOf(value).map(parseOldType),
  choice: (value) => listOf(value).map(toText),
  openTag: toText,
};

const types = [
  ...(["any", "boolean", "integer", "list", "null", "number"] as const),
  ...(["object", "string", "union", "unknown"] as const),
] as const satisfies readonly OldType["type"][];

const formats = ["base64", "date-time", "uri"] as const;

/** Reads a type. Errors: InvalidHistory, also for a pattern that is none. */
export function parseOldType(value: unknown): OldType {
  const record = recordOf(value);
  const read = Object.entries(members).flatMap(([name, parse]) => {
    const member = memberOf(record, name);
    return member === undefined ? [] : [[name, parse(member)] as const];
  });
  return {
    type: oneOf(types, memberOf(record, "type")),
    ...Object.fromEntries(read),
  };
}

function oneOf<Text>(texts: readonly Text[], value: unknown): Text {
  const found = texts.find((text) => text === value);
  if (found === undefined) throw new InvalidHistory();
  return found;
}

function toTrue(value: unknown): true {
  if (value !== true) throw new InvalidHistory();
  return value;
}

function toNumber(value: unknown): number {
  if (typeof value !== "number") throw new InvalidHistory();
  return value;
}

function toValue(value: unknown): boolean | number | string {
  return typeof value === "boolean" || typeof value === "number"
    ? value
    : toText(value);
}

/** Large integers are texts. */
function toLimit(value: unknown): number | string {
  if (typeof value === "number") return value;
  const text = toText(value);
  if (!/^-?\d{1,400}$/u.test(text)) throw new InvalidHistory();
  return text;
}

function toPattern(value: unknown): string {
  const pattern = toText(value);
  try {
    new RegExp(pattern, "u");
    return pattern;
  } catch {
    throw new InvalidHistory();
  }
}
