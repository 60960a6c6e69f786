import type { Word } from "../../1-parse/ast.js";
import { findBrokenLimit } from "../../ir/broken-limit.js";
import type { Constraints } from "../../ir/contract.js";
import { codeOf } from "../../diagnostics/names.js";
import { type LiteralText, parseLiterals } from "../../1-parse/literals.js";
import { findMetadata } from "../notation/metadata.js";
import { metadataKeys } from "../notation/notation.js";
import { explainInvalidRegExp } from "../notation/patterns.js";
import { wireValuesOf } from "../notation/wire-values.js";
import { readAllowedValue } from "../program/allowed-values.js";
import { readConstraints } from "../program/constraints.js";
import type { Nodes, Program } from "../program/program.js";
import {
  aliasesOf,
  type ResolvedType,
  resolveType,
  takesLimits,
} from "../program/resolve-type.js";
import { createSuggester } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import {
  locate,
  type NodeFinding,
  type Placed,
  relate,
} from "../report/finding.js";

/** The maximum number of values in `+ enum`. An enum can have more. */
export const maxAllowedValues = 1000;

/** Reports literals of `+ enum` that are not values of the type. */
export function findInvalidValues(
  { syntax: { value }, document, owner }: Nodes["metadata"][number],
  program: Program,
): readonly NodeFinding[] {
  const literals = parseLiterals(value.text, "|");
  if (literals === null) {
    return [
      {
        at: value,
        message: `\`enum\` must be values separated by \`|\`, not ${codeOf(value.text || '""')}`,
        notes: [
          "text that is empty or contains `|` is in single quotes, e.g. `'a|b'`",
        ],
      },
    ];
  }
  if (literals.length > maxAllowedValues) {
    const message = `\`enum\` has ${literals.length} values, but can have at most ${maxAllowedValues}`;
    return [{ at: value, message, help: "declare an enum" }];
  }
  const type = resolveType(program, document, owner.type);
  if (type === null || !takesLimits(type, "values")) return [];
  const invalid = literals.filter(
    (each) => readAllowedValue(type, each) === null,
  );
  const names = namesOf(type);
  const suggest = createSuggester();
  return [
    ...invalid.map((each) => {
      const at = placeOf(value, each);
      const message = `${describe(type)} has no value ${writtenIn(value, each)}`;
      return {
        at,
        message,
        ...suggest(each.text, names, locate(document, at)),
      };
    }),
    ...findDuplicates(literals, (each) => {
      const one = readAllowedValue(type, each);
      return one === null ? null : `=${one}`;
    }).map(({ first, again }) => ({
      at: placeOf(value, again),
      message: `\`enum\` lists ${writtenIn(value, again)} twice`,
      related: [{ at: placeOf(value, first), label: "first listed here" }],
    })),
  ];
}

/** Reports literals of `+ enum` that are beyond other limits. */
export function findExcludedValues(
  node: Nodes["aliases" | "arguments" | "fields"][number],
  program: Program,
): readonly NodeFinding[] {
  const { syntax, document } = node;
  const list = findMetadata(syntax, "enum");
  const type = list && resolveType(program, document, syntax.type);
  if (!type) return [];
  const owners = [
    { syntax, document },
    ...aliasesOf(program, document, syntax.type),
  ].map((owner) => ({
    owner,
    limits: applying(
      type,
      readConstraints(program, owner.document, owner.syntax),
    ),
  }));
  return (parseLiterals(list.value.text, "|") ?? []).flatMap((literal) => {
    const value = readAllowedValue(type, literal);
    return owners.flatMap(({ owner, limits }) => {
      const broken = value === null ? null : findBrokenLimit(value, limits);
      if (broken === null) return [];
      const limit = findMetadata(owner.syntax, broken);
      return {
        at: placeOf(list.value, literal),
        message: `\`${broken}\` of ${codeOf(owner.syntax.name.text)} excludes ${writtenIn(list.value, literal)}`,
        related: limit
          ? [relate(owner, limit.value, `\`${broken}\` is here`)]
          : [],
      };
    });
  });
}

/** Removes limits that are reported elsewhere because they are invalid. */
function applying(type: ResolvedType, limits: Constraints): Constraints {
  const entries = Object.entries(limits).filter(([key, limit]) => {
    const kind = metadataKeys.get(key)?.limits ?? null;
    const applies = kind !== null && takesLimits(type, kind);
    return (
      applies &&
      (key !== "pattern" || explainInvalidRegExp(`${limit}`) === null)
    );
  });
  return Object.fromEntries(entries);
}

function namesOf(type: ResolvedType): readonly string[] {
  if (type.kind === "scalar")
    return type.name === "bool" ? ["true", "false"] : [];
  if (type.kind !== "enum") return [];
  const { syntax } = type.declared;
  return syntax.kind === "enum" ? wireValuesOf(syntax) : [];
}

function describe(type: ResolvedType): string {
  switch (type.kind) {
    case "scalar":
      return codeOf(type.name);
    case "enum":
      return `enum ${codeOf(type.declared.syntax.name.text)}`;
    case "list":
    case "map":
    case "struct":
    case "union":
      return type.kind;
  }
}

function writtenIn({ text }: Word, { end, start }: LiteralText): string {
  return codeOf(text.slice(start, end));
}

/** Returns the location of a literal, or of the whole text if it has escapes. */
function placeOf({ isQuoted, span, text }: Word, literal: LiteralText): Placed {
  const start = span.start + (isQuoted ? 1 : 0);
  const isWritten = span.end - span.start === text.length + (isQuoted ? 2 : 0);
  return {
    span: isWritten
      ? { start: start + literal.start, end: start + literal.end }
      : span,
  };
}
