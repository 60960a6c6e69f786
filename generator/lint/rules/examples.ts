import type { Metadata, TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import {
  findMetadata,
  type HasMetadata,
  metadataValue,
} from "../../2-check/notation/metadata.js";
import { parseFlag, parseNumber } from "../../2-check/notation/numbers.js";
import type { Nodes, Program } from "../../2-check/program/program.js";
import { findType } from "../../2-check/program/reach.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import { inNodes } from "../../2-check/report/finding.js";
import { codeOf } from "../../diagnostics/names.js";
import { textTest } from "../../ir/limits.js";
import { type ScalarName, scalars } from "../../ir/scalars.js";
import { isHarmless } from "./patterns.js";
import type { LintRules } from "./rule.js";

/** Rules about `+ example`. */
export const exampleRules = {
  "example-invalid": inNodes(["aliases", "fields"], (node, program) => {
    const { syntax } = node;
    const value = findMetadata(syntax, "example")?.value;
    if (value === undefined) return false;
    const isNull =
      value.text === "null" && metadataValue(syntax, "nullable") === "true";
    const expected = isNull ? null : findExpected(node, program, value.text);
    return (
      expected !== null && {
        at: value,
        message: `the example of \`${syntax.name.text}\` must be ${expected}, not ${codeOf(value.text || '""')}`,
      }
    );
  }),
} satisfies LintRules;

/** Describes the expected value. Returns null if the example is valid. */
function findExpected(
  { syntax, document }: Nodes["aliases" | "fields"][number],
  program: Program,
  text: string,
): string | null {
  const type = resolveType(program, document, syntax.type);
  if (type?.kind === "enum") {
    const { syntax: declared } = type.declared;
    if (declared.kind !== "enum") return null;
    const isString = declared.base.text === "string";
    const values = declared.members.map(({ name, value }) =>
      isString && value ? value.text : name.text,
    );
    return values.includes(text)
      ? null
      : `a value of \`${declared.name.text}\``;
  }
  if (type?.kind !== "scalar") return null;
  if (!isValueOf(type.name, text)) return titleOf(type.name);
  for (const line of metadataAlong(program, document, syntax)) {
    const expected = expectedBy(line, text);
    if (expected !== null) return expected;
  }
  return null;
}

/** Returns the metadata of a declaration and of the aliases of its type. */
function metadataAlong(
  program: Program,
  from: LoadedDocument,
  owner: Nodes["aliases" | "fields"][number]["syntax"],
): readonly Metadata[] {
  const lines = [...linesOf(owner)];
  let document = from;
  let type: TypeExpression = owner.type;
  while (type.kind === "name") {
    const declared = findType(program, document, type.name.text);
    if (declared?.syntax.kind !== "alias") break;
    lines.push(...linesOf(declared.syntax));
    ({ document } = declared);
    ({ type } = declared.syntax);
  }
  return lines;
}

/** Returns the lines that count: the last one of each key. */
function linesOf(owner: HasMetadata): readonly Metadata[] {
  return owner.metadata.filter(
    (line) => findMetadata(owner, line.key.text) === line,
  );
}

function isValueOf(name: ScalarName, text: string): boolean {
  const { range, wire } = scalars[name];
  if (range !== null) {
    const value = isInteger(text) ? BigInt(text) : null;
    return value !== null && value >= range[0] && value <= range[1];
  }
  switch (wire) {
    case "boolean":
      return parseFlag(text) !== null;
    case "number":
      return parseNumber(text) !== null;
    case "string":
      if (name === "bigint") return isInteger(text);
      return name !== "timestamp" || isTimestamp(text);
    case "any":
    case "file":
    case "null":
      return true;
  }
}

function isInteger(text: string): boolean {
  return /^-?\d+$/u.test(text);
}

function titleOf(name: ScalarName): string {
  const { title, wire } = scalars[name];
  if (wire === "boolean") return "`true` or `false`";
  if (name === "bigint") return "an integer";
  return name === "timestamp" ? `${title} such as \`${someTime}\`` : title;
}

const someTime = "2026-01-31T12:00:00Z";

/** Describes the expected value if a text is not within a limit. */
function expectedBy({ key, value }: Metadata, text: string): string | null {
  const limit = value.text;
  const isBelow = (given: number | bigint | null): boolean =>
    (given ?? 0) < (parseNumber(limit) ?? 0);
  const isAbove = (given: number | bigint | null): boolean =>
    (given ?? 0) > (parseNumber(limit) ?? 0);
  const { length } = Array.from(text);
  switch (key.text) {
    case "minimum":
      return isBelow(parseNumber(text)) ? `at least ${limit}` : null;
    case "maximum":
      return isAbove(parseNumber(text)) ? `at most ${limit}` : null;
    case "minLength":
      return isBelow(length) ? `a string of length ${limit} or more` : null;
    case "maxLength":
      return isAbove(length) ? `a string of length ${limit} or less` : null;
    case "pattern":
      return isHarmless(limit, length) && !textTest([{ pattern: limit }])(text)
        ? `a match for ${codeOf(limit)}`
        : null;
    case "format":
      return limit === "uri" && !textTest([{ format: limit }])(text)
        ? "an absolute http or https URL"
        : null;
    default:
      return null;
  }
}

/** Whether text is a date and time as in RFC 3339. */
function isTimestamp(text: string): boolean {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u.exec(
      text,
    ) ?? [];
  // A day such as February 30 becomes another one.
  return day !== undefined && new Date(day).toJSON()?.startsWith(day);
}
