import { scalars } from "../../ir/scalars.js";
import { findMetadata } from "../notation/metadata.js";
import {
  type Limits,
  type ValueForm,
  metadataKeys,
} from "../notation/notation.js";
import { parseCount, parseFlag, parseNumber } from "../notation/numbers.js";
import type { DeclaredMetadata, Nodes } from "../program/program.js";
import { type ResolvedType, resolveType } from "../program/resolve-type.js";
import {
  changingContract,
  didYouMean,
  joinNames,
} from "../report/did-you-mean.js";
import { errorAt, warningAt } from "../report/finding.js";
import { removeFix } from "../report/removal.js";
import { locate, relate } from "../report/report.js";
import type { CheckRules } from "./rule.js";

/** Rules about `+ key = value` lines. */
export const metadataRules = {
  // The last of several lines with one key counts; the others are lost.
  "duplicate-metadata": ({ nodes }) =>
    [...nodes.metadata].flatMap(([key, lines]) =>
      lines.flatMap(({ syntax: again, document, owner }) => {
        const first = owner.metadata.find((each) => each.key.text === key);
        if (first === undefined || first === again) return [];
        return warningAt(
          locate(document, again.key),
          `\`${key}\` is given twice for \`${owner.name.text}\``,
          {
            related: [relate(document, first.key, "this one has no effect")],
            help: "keep one of them",
            ...removeFix(document, first.span),
          },
        );
      }),
    ),

  "invalid-metadata-value": ({ nodes }) =>
    [...metadataKeys].flatMap(([key, { form, on }]) =>
      linesOf(nodes, key).flatMap(({ syntax: { value }, document, owner }) => {
        if (!on.includes(owner.kind)) return [];
        const expected = findExpected(form, value.text);
        if (expected === null) return [];
        return errorAt(
          locate(document, value),
          `\`${key}\` must be ${expected}, not \`${value.text}\``,
        );
      }),
    ),

  "misplaced-key": ({ nodes }) =>
    [...metadataKeys].flatMap(([key, { on }]) =>
      linesOf(nodes, key).flatMap(({ syntax, document, owner }) => {
        if (on.includes(owner.kind)) return [];
        const [place = ""] = on;
        return warningAt(
          locate(document, syntax.key),
          `\`${key}\` has no effect on ${owner.kind === "alias" ? "an alias" : "a field"}`,
          {
            help: `it belongs on ${place === "alias" ? "an alias" : "a field"}`,
          },
        );
      }),
    ),

  "misplaced-constraint": (program) =>
    [...metadataKeys].flatMap(([key, { limits }]) => {
      if (limits === null) return [];
      const lines = linesOf(program.nodes, key);
      return lines.flatMap(({ syntax, document, owner }) => {
        const type = resolveType(program, document, owner.type);
        if (type === null || limitsOf(type) === limits) return [];
        return errorAt(
          locate(document, syntax.key),
          `\`${key}\` limits ${SUBJECTS[limits]}, and \`${owner.name.text}\` is ${describe(type)}`,
        );
      });
    }),

  // Keys without a meaning are kept for others to read, and nothing is said,
  // unless the key is nearly one of ours, or a constraint in other languages:
  // who writes it would rely on a limit that nobody enforces.
  "unknown-metadata": ({ nodes }) =>
    [...nodes.metadata].flatMap(([key, lines]) => {
      if (key.includes(".") || metadataKeys.has(key)) return [];
      return lines.flatMap(({ syntax, document }) => {
        const place = locate(document, syntax.key);
        const suggestion =
          translate(key) ?? didYouMean(key, metadataKeys.keys(), place);
        if (suggestion.help === undefined) return [];
        return warningAt(
          place,
          `\`${key}\` has no meaning`,
          changingContract(suggestion),
        );
      });
    }),

  // Other formats are kept for others to read, and are not enforced.
  "unknown-format": ({ nodes }) =>
    linesOf(nodes, "format").flatMap(({ syntax: { value }, document }) => {
      if (value.text === "uri") return [];
      const place = locate(document, value);
      return warningAt(place, `format \`${value.text}\` is not enforced`, {
        notes: ["the only format is `uri`, an absolute http or https URL"],
        ...didYouMean(value.text, ["uri"], place),
      });
    }),

  "invalid-pattern": ({ nodes }) =>
    linesOf(nodes, "pattern").flatMap(({ syntax: { value }, document }) => {
      const reason = whyNotRegExp(value.text);
      if (reason === null) return [];
      return errorAt(
        locate(document, value),
        "`pattern` is not a regular expression",
        { notes: [reason] },
      );
    }),

  "contradicting-constraints": ({ nodes }) =>
    RANGES.flatMap(([lowerKey, upperKey, parse]) =>
      linesOf(nodes, upperKey).flatMap(({ syntax: upper, document, owner }) => {
        const lower = findMetadata(owner, lowerKey);
        const isLast = findMetadata(owner, upperKey) === upper;
        if (lower === undefined || !isLast) return [];
        const least = parse(lower.value.text);
        const most = parse(upper.value.text);
        if (least === null || most === null || least <= most) return [];
        return errorAt(
          locate(document, upper.value),
          `\`${upperKey}\` of \`${owner.name.text}\` is below its \`${lowerKey}\``,
          {
            related: [relate(document, lower.value, `\`${lowerKey}\` is here`)],
          },
        );
      }),
    ),
} satisfies CheckRules;

function linesOf(nodes: Nodes, key: string): readonly DeclaredMetadata[] {
  return nodes.metadata.get(key) ?? [];
}

/** What the value should have been; null when it is fine. */
function findExpected(form: ValueForm, text: string): string | null {
  switch (form) {
    case "number":
      return parseNumber(text) === null ? "a number" : null;
    case "count":
      return parseCount(text) === null ? "a number of 0 or more" : null;
    case "flag":
      return parseFlag(text) === null ? "`true` or `false`" : null;
    case "pattern":
    case "text":
      return null;
  }
}

const SUBJECTS: Readonly<Record<Limits, string>> = {
  number: "numbers",
  text: "strings",
  list: "lists",
  map: "maps",
};

function limitsOf(type: ResolvedType): Limits | null {
  switch (type.kind) {
    case "scalar":
      return scalars[type.name].limits;
    case "list":
    case "map":
      return type.kind;
    case "enum":
    case "struct":
      return null;
  }
}

function describe(type: ResolvedType): string {
  switch (type.kind) {
    case "scalar":
      return `of type \`${type.name}\``;
    case "enum":
      return "an enum";
    case "list":
    case "map":
    case "struct":
      return `a ${type.kind}`;
  }
}

/** What other languages call a constraint, and how its keys begin here. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["min", "min"],
  ["max", "max"],
  ["regex", "pattern"],
  ["regexp", "pattern"],
  ["unique", "uniqueItems"],
]);

function translate(key: string): { readonly help: string } | undefined {
  const begin = otherNames.get(key.toLowerCase());
  if (begin === undefined) return undefined;
  const meant = [...metadataKeys.keys()].filter((each) =>
    each.startsWith(begin),
  );
  return { help: `did you mean ${joinNames(meant)}?` };
}

/** What the engine says about the text after its own repetition of it. */
function whyNotRegExp(source: string): string | null {
  try {
    new RegExp(source, "u");
    return null;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.slice(text.lastIndexOf(": ") + 2).toLowerCase();
  }
}

const RANGES = [
  ["minimum", "maximum", parseNumber],
  ["minLength", "maxLength", parseCount],
  ["minItems", "maxItems", parseCount],
  ["minProperties", "maxProperties", parseCount],
] as const;
