import { readConstraints } from "../../2-check/program/constraints.js";
import {
  findMetadata,
  metadataValue,
} from "../../2-check/notation/metadata.js";
import { wireValuesOf } from "../../2-check/notation/wire-values.js";
import type { Nodes, Program } from "../../2-check/program/program.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import { inNodes } from "../../2-check/report/finding.js";
import { codeOf } from "../../diagnostics/names.js";
import { hasText, readExample } from "../../values/read-example.js";
import { type ScalarName, scalars } from "../../ir/scalars.js";
import { limitsAlong } from "../facts/limits-along.js";
import { isHarmless } from "../../pattern/time/analyze-pattern.js";
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
  const all = [
    readConstraints(program, document, syntax),
    ...limitsAlong(program, document, syntax.type),
  ];
  if (type?.kind === "enum") {
    const { syntax: declared } = type.declared;
    if (declared.kind !== "enum") return null;
    if (!wireValuesOf(declared).includes(text))
      return `a value of \`${declared.name.text}\``;
    return all.some((limits) => limits.enum?.includes(text) === false)
      ? listedValue
      : null;
  }
  if (type?.kind !== "scalar") return null;
  if (!hasText(type.name)) return null;
  if (readExample(type.name, [], text) === undefined) return titleOf(type.name);
  for (const limits of all) {
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

function titleOf(name: ScalarName): string {
  const { limits, text, title, wire } = scalars[name];
  if (wire === "boolean") return "`true` or `false`";
  if (text === null) return title;
  return limits === "number"
    ? "an integer"
    : `${title} such as ${codeOf(text.samples[0])}`;
}

const listedValue = "a value that `enum` lists";

/** Describes the values within each limit. */
const descriptions: Readonly<Record<string, (limit: string) => string>> = {
  enum: () => listedValue,
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  minLength: (limit) => `a string of length ${limit} or more`,
  maxLength: (limit) => `a string of length ${limit} or less`,
  pattern: (limit) => `a match for ${codeOf(limit)}`,
  format: () => "an absolute http or https URL",
};
