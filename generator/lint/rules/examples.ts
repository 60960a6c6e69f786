import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { readConstraints } from "../../2-check/notation/constraints.js";
import {
  findMetadata,
  metadataValue,
} from "../../2-check/notation/metadata.js";
import type { Nodes, Program } from "../../2-check/program/program.js";
import { findType } from "../../2-check/program/reach.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import { inNodes } from "../../2-check/report/finding.js";
import { codeOf } from "../../diagnostics/names.js";
import type { Constraints } from "../../ir/contract.js";
import { hasText, readExample } from "../../ir/read-example.js";
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
  if (!hasText(type.name)) return null;
  if (readExample(type.name, [], text) === undefined) return titleOf(type.name);
  for (const limits of constraintsAlong(program, document, syntax)) {
    for (const [key, limit] of Object.entries(limits)) {
      const isSlow =
        key === "pattern" && !isHarmless(limit, Array.from(text).length);
      const describe = isSlow ? undefined : descriptions[key];
      if (!describe) continue;
      if (readExample(type.name, [{ [key]: limit }], text) === undefined)
        return describe(`${limit}`);
    }
  }
  return null;
}

/** Returns the limits of a declaration and of the aliases of its type. */
function constraintsAlong(
  program: Program,
  from: LoadedDocument,
  owner: Nodes["aliases" | "fields"][number]["syntax"],
): readonly Constraints[] {
  const all = [readConstraints(owner)];
  let document = from;
  let type: TypeExpression = owner.type;
  while (type.kind === "name") {
    const declared = findType(program, document, type.name.text);
    if (declared?.syntax.kind !== "alias") break;
    all.push(readConstraints(declared.syntax));
    ({ document } = declared);
    ({ type } = declared.syntax);
  }
  return all;
}

function titleOf(name: ScalarName): string {
  const { title, wire } = scalars[name];
  if (wire === "boolean") return "`true` or `false`";
  if (name === "bigint") return "an integer";
  return name === "timestamp" ? `${title} such as \`${someTime}\`` : title;
}

const someTime = "2026-01-31T12:00:00Z";

/** Describes the values within each limit. */
const descriptions: Readonly<Record<string, (limit: string) => string>> = {
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  minLength: (limit) => `a string of length ${limit} or more`,
  maxLength: (limit) => `a string of length ${limit} or less`,
  pattern: (limit) => `a match for ${codeOf(limit)}`,
  format: () => "an absolute http or https URL",
};
