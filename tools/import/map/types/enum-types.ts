import { isPortableName } from "../../../../generator/ir/json-name.js";
import type { NoteLog } from "../../notes/note.js";
import type { DocumentPart } from "../../read/document-part.js";
import type { MappedType, TypeBody } from "../../model/model.js";
import { toPascal } from "../../model/names.js";
import type { SchemaView } from "./schema-view.js";
import { type AnnotatedValue, annotatedValues } from "./annotated-enums.js";
import { toComment } from "../../model/comments.js";
import { withinLimits } from "./within-limits.js";

/** A longer list of values is an enum of its own. */
const longList = 5;

/** Maps a schema that lists its values: to an enum, or to `+ enum`. */
export function mapEnum(
  view: SchemaView,
  isNamed: boolean,
  notes: NoteLog,
): TypeBody {
  const listed = view.get("enum");
  const constant = view.get("const");
  const annotated =
    (constant ?? listed) === null ? (annotatedValues(view) ?? []) : [];
  const parts = [
    ...(constant ? [constant] : (listed?.items() ?? [])),
    ...annotated.map(({ value }) => value),
  ].filter(({ node }) => node.kind !== "null");
  const at = constant ?? listed ?? view.part;
  const kind = kindOf(parts, view.types);
  if (kind === null || parts.length === 0) {
    if (parts.length === 0 && view.isNullable) {
      return { kind: "alias", type: "null", metadata: [] };
    }
    const message = "RIDL cannot list these values";
    notes.add("value", at, message, "any value is accepted");
    return { kind: "alias", type: "any", metadata: [] };
  }
  const fitting = withinLimits(parts, kind, view, notes);
  const values = [...new Set(fitting.map(({ text }) => text ?? ""))];
  const canDeclare =
    kind === "string" && values.length > 1 && values.every(isEnumValue);
  return canDeclare && (isNamed || values.length > longList)
    ? { kind: "enum", members: annotate(nameMembers(values), annotated) }
    : { kind: "alias", ...listValues(values, kind) };
}

function kindOf(
  parts: readonly DocumentPart[],
  types: readonly string[],
): "string" | "number" | "boolean" | null {
  const kinds = new Set(
    parts.map(({ node }) => (node.kind === "text" ? node.type : null)),
  );
  if (kinds.has(null)) return null;
  // YAML reads `[1, 2]` as numbers, even if the type is `string`.
  if (types.length === 1 && types[0] === "string") return "string";
  const [only = null, ...others] = kinds;
  return others.length > 0 ? null : only;
}

/** Text that can follow `=` in an enum. */
export function isEnumValue(value: string): boolean {
  return value !== "" && !/[\u0000-\u001f\u2028\u2029]|\p{Cs}/u.test(value);
}

/** Returns a type with a list of values. */
export function listValues(
  values: readonly string[],
  kind: "string" | "number" | "boolean",
): MappedType {
  const numbers = kind === "number" ? values.map(plainNumber) : [];
  const texts = kind === "number" ? numbers : values.map(quoteValue);
  const list = [{ key: "enum", value: texts.join("|") }];
  switch (kind) {
    case "string":
      return { type: "string", metadata: list };
    case "boolean":
      return { type: "bool", metadata: list };
    case "number":
      return { type: numberTypeOf(numbers), metadata: list };
  }
}

/** Returns a number as RIDL writes it. Integers of any size are exact. */
function plainNumber(text: string): string {
  const isDigits = /^-?[0-9]+$/u.test(text);
  return isDigits ? String(BigInt(text)) : String(Number(text) + 0);
}

/** Returns the type of numbers. */
function numberTypeOf(numbers: readonly string[]): string {
  if (numbers.every((each) => Number.isSafeInteger(Number(each)))) return "int";
  const isLong = numbers.every(
    (each) =>
      /^-?[0-9]+$/u.test(each) &&
      BigInt.asIntN(64, BigInt(each)) === BigInt(each),
  );
  return isLong ? "int64" : "float64";
}

function quoteValue(value: string): string {
  const isPlain = value !== "" && !/^\s|\s$|^'|\|/u.test(value);
  return isPlain ? value : `'${value.replaceAll("'", "''")}'`;
}

/** Names members by the titles of their values, and adds the descriptions. */
function annotate(
  members: ReturnType<typeof nameMembers>,
  annotated: readonly AnnotatedValue[],
): ReturnType<typeof nameMembers> {
  const known = new Map(
    annotated.map((each) => [each.value.text, each] as const),
  );
  const titleOf = (value: string): string => known.get(value)?.title ?? "";
  const titles = members.map(({ value }) => titleOf(value));
  const names = titles.map((title) =>
    isPortableName(title) ? title : toPascal(title),
  );
  // Either all members have the names of their titles, or none has.
  const isNamed =
    new Set(names).size === names.length && names.every(isPortableName);
  return members.map(({ name, value }, index) => ({
    name: isNamed ? (names[index] ?? name) : name,
    value,
    docs: toComment(known.get(value)?.description ?? null),
  }));
}

/** Names the members of an enum after their values. */
export function nameMembers(
  values: readonly string[],
): Extract<TypeBody, { kind: "enum" }>["members"] {
  const taken = new Set(values.filter(isPortableName));
  return values.map((value) => {
    if (isPortableName(value)) return { name: value, value };
    const words = value.replace(/^\+/u, "plus ").replace(/^-(?=\d)/u, "minus ");
    const base = toPascal(words);
    const first = isPortableName(base)
      ? base
      : `V${value.replace(/[^A-Za-z0-9]+/gu, "_")}`;
    let name = first;
    for (let number = 2; taken.has(name); number++) name = `${first}_${number}`;
    taken.add(name);
    return { name, value };
  });
}
