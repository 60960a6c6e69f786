import type { Metadata } from "../../1-parse/ast.js";
import { formats, isFormat } from "../../ir/text-rule.js";
import { findMetadata } from "../notation/metadata.js";
import {
  type Limits,
  type MetadataForm,
  metadataKeys,
} from "../notation/notation.js";
import { parseCount, parseFlag, parseNumber } from "../notation/numbers.js";
import { explainInvalidRegExp } from "../notation/patterns.js";
import type { TypeOwner } from "../program/program.js";
import {
  isByteType,
  type ResolvedType,
  resolveType,
  takesLimits,
} from "../program/resolve-type.js";
import {
  changingContract,
  didYouMean,
  suggestKey,
} from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { inNodes, locate, type NodeFinding } from "../report/finding.js";
import { removeFix } from "../report/removal.js";
import { findExcludedValues, findInvalidValues } from "./allowed-values.js";
import type { CheckRules } from "./rule.js";

/** Rules about `+ key = value` lines. */
export const metadataRules = {
  // If a key is repeated, only its last line is used.
  "duplicate-metadata": inNodes(
    ["fields", "arguments", "aliases"],
    ({ syntax: { metadata, name }, document }) =>
      findDuplicates(metadata.filter(isSingle), keyOf).map(
        ({ first, again }) => ({
          at: again.key,
          severity: "warning",
          message: `\`${again.key.text}\` is given twice for \`${name.text}\``,
          related: [{ at: first.key, label: "this one has no effect" }],
          help: "keep one of them",
          ...removeFix(document, first.span),
        }),
      ),
  ),

  "invalid-metadata-value": inNodes(["metadata"], (node, program) => {
    const { key, value } = node.syntax;
    const meaning = metadataKeys.get(key.text);
    if (!meaning?.on.includes(placeOf(node.owner))) return false;
    if (meaning.form === "values") return findInvalidValues(node, program);
    const expected = findExpected(meaning.form, value.text);
    return (
      expected !== null && {
        at: value,
        message: `\`${key.text}\` must be ${expected}, not \`${value.text}\``,
      }
    );
  }),

  "misplaced-key": inNodes(["metadata"], ({ syntax: { key }, owner }) => {
    const meaning = metadataKeys.get(key.text);
    if (!meaning || meaning.on.includes(placeOf(owner))) return false;
    const [here, there] =
      owner.kind === "alias"
        ? ["an alias", "a field"]
        : ["a field", "an alias"];
    return {
      at: key,
      severity: "warning",
      message: `\`${key.text}\` has no effect on ${here}`,
      help: `it belongs on ${there}`,
    };
  }),

  "misplaced-constraint": inNodes(["metadata"], (node, program) => {
    const { syntax, document, owner } = node;
    const { key } = syntax;
    const limits = metadataKeys.get(key.text)?.limits ?? null;
    if (limits === null) return false;
    const type = resolveType(program, document, owner.type);
    if (type === null) return false;
    const isOfBytes =
      type.kind === "list" &&
      key.text === "uniqueItems" &&
      isByteType(program, type.document, type.element);
    if (takesLimits(type, limits) && !isOfBytes) return false;
    return {
      at: key,
      message: `\`${key.text}\` applies to ${SUBJECTS[limits]}, but \`${owner.name.text}\` ${isOfBytes ? "is base64 text" : describe(type)}`,
    };
  }),

  // Only keys that resemble a known one, or are constraints in another language,
  // are reported. The author may rely on a limit that is not enforced. The lint
  // rule `unknown-word` reports the others.
  "unknown-metadata": inNodes(["metadata"], ({ syntax: { key }, document }) => {
    const { text } = key;
    if (text.includes(".") || metadataKeys.has(text)) return false;
    const suggestion = suggestKey(text, locate(document, key));
    return (
      suggestion.help !== undefined && {
        at: key,
        severity: "warning",
        message: `\`${text}\` has no meaning`,
        ...changingContract(suggestion),
      }
    );
  }),

  // Other formats are kept for other tools and not enforced.
  "unknown-format": inNodes(
    ["metadata"],
    ({ syntax: { key, value }, document }) =>
      key.text === "format" &&
      !isFormat(value.text) && {
        at: value,
        severity: "warning",
        message: `format \`${value.text}\` is not enforced`,
        notes: [
          "the only enforced format is `uri`, an absolute http or https URL",
        ],
        ...didYouMean(
          value.text,
          Object.keys(formats),
          locate(document, value),
        ),
      },
  ),

  "invalid-pattern": inNodes(["metadata"], ({ syntax: { key, value } }) => {
    const reason =
      key.text === "pattern" ? explainInvalidRegExp(value.text) : null;
    const message = "`pattern` is not a valid regular expression";
    return reason !== null && { at: value, message, notes: [reason] };
  }),

  "contradicting-constraints": inNodes(
    ["fields", "arguments", "aliases"],
    (node, program) =>
      node.syntax.metadata.length > 0 && [
        ...findReversedRanges(node.syntax),
        ...findExcludedValues(node, program),
      ],
  ),
} satisfies CheckRules;

/** An argument can have the same metadata as a field. */
function placeOf({ kind }: TypeOwner): "alias" | "field" {
  return kind === "alias" ? kind : "field";
}

/** Whether only one line with this key counts. `oneOf` can have several. */
function isSingle({ variants }: Metadata): boolean {
  return variants === undefined;
}

function keyOf({ key }: Metadata): string {
  return key.text;
}

/** Describes the expected value. Returns null if the value is valid. */
function findExpected(form: MetadataForm, text: string): string | null {
  switch (form) {
    case "number":
      return parseNumber(text) === null ? "a number" : null;
    case "count":
      return parseCount(text) === null ? "an integer that is 0 or more" : null;
    case "flag":
      return parseFlag(text) === null ? "`true` or `false`" : null;
    case "pattern":
    case "text":
    case "values":
      return null;
  }
}

const SUBJECTS: Readonly<Record<Limits, string>> = {
  number: "numbers",
  text: "strings",
  list: "lists",
  map: "maps",
  values: "strings, numbers, booleans and enums",
};

function describe(type: ResolvedType): string {
  switch (type.kind) {
    case "scalar":
      return `has type \`${type.name}\``;
    case "enum":
      return "is an enum";
    case "list":
    case "map":
    case "struct":
    case "union":
      return `is a ${type.kind}`;
  }
}

function findReversedRanges(owner: TypeOwner): readonly NodeFinding[] {
  return RANGES.flatMap(([lowerKey, upperKey, parse]) => {
    const lower = findMetadata(owner, lowerKey)?.value;
    const upper = findMetadata(owner, upperKey)?.value;
    if (lower === undefined || upper === undefined) return [];
    const minimum = parse(lower.text);
    const maximum = parse(upper.text);
    if (minimum === null || maximum === null || minimum <= maximum) return [];
    return {
      at: upper,
      message: `\`${upperKey}\` of \`${owner.name.text}\` is below its \`${lowerKey}\``,
      related: [{ at: lower, label: `\`${lowerKey}\` is here` }],
    };
  });
}

const RANGES = [
  ["minimum", "maximum", parseNumber],
  ["minLength", "maxLength", parseCount],
  ["minItems", "maxItems", parseCount],
  ["minProperties", "maxProperties", parseCount],
] as const;
