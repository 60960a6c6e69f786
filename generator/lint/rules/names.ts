import type { Field, StructDeclaration } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findJsonName } from "../../2-check/notation/metadata.js";
import { foldName } from "../../2-check/program/scope.js";
import { inNodes, locate } from "../../2-check/report/finding.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { lineStartAt } from "../../source/line-index.js";
import {
  isCamelCase,
  isPascalCase,
  toCamelCase,
  toPascalCase,
  wordsOf,
} from "../facts/casing.js";
import type { LintRule, LintRules } from "./rule.js";

/** Rules about names. */
export const nameRules = {
  "field-camel-case": (program) => [
    ...misnamedFields(program),
    ...misnamedArguments(program),
  ],

  "method-pascal-case": inNodes(
    ["methods"],
    ({ syntax: { isProxy, name } }) =>
      !isProxy &&
      !isPascalCase(name.text) && {
        at: name,
        message: `method \`${name.text}\` is not in PascalCase`,
        help: `rename it to \`${toPascalCase(name.text)}\`; this changes its URL`,
      },
  ),

  "service-pascal-case": inNodes(["services"], ({ syntax: { name } }) => {
    const slash = name.text.lastIndexOf("/") + 1;
    const own = name.text.slice(slash);
    return (
      !isPascalCase(own) && {
        at: name,
        message: `service \`${name.text}\` is not in PascalCase`,
        help: `rename it to \`${name.text.slice(0, slash)}${toPascalCase(own)}\`; this changes its URL`,
      }
    );
  }),

  "type-pascal-case": inNodes(
    ["aliases", "enums", "structs"],
    ({ syntax: { name } }) =>
      !isPascalCase(name.text) && {
        at: name,
        message: `type \`${name.text}\` is not in PascalCase`,
        help: `rename it to \`${toPascalCase(name.text)}\``,
      },
  ),

  "enum-value-case": inNodes(["enums"], ({ syntax: { members, name } }) => {
    const names = members.map((member) => member.name);
    const counts = styles.map(
      ([, form]) => names.filter(({ text }) => form.test(text)).length,
    );
    const [style, form] = styles[counts.indexOf(Math.max(...counts))] ?? [];
    return names
      .filter(({ text }) => form?.test(text) === false)
      .map((member) => ({
        at: member,
        message: `\`${member.text}\` is not in ${style ?? ""}, unlike most members of \`${name.text}\``,
        help: "rename it; this changes its text on the wire unless the member has an explicit string value",
      }));
  }),

  // Generated code must use a different name.
  "reserved-word": inNodes(
    ["aliases", "enums", "structs", "methods"],
    ({ syntax: { kind, name } }) => {
      const isTaken =
        kind === "method"
          ? foldedMemberNames.has(name.text.toLowerCase())
          : globalNames.includes(name.text);
      return (
        isTaken && {
          at: name,
          message: `\`${name.text}\` already has a meaning in JavaScript`,
          notes: ["generated code uses a different name"],
          help: "choose a more specific name",
        }
      );
    },
  ),

  "stuttered-name": inNodes(
    ["fields", "members"],
    ({ syntax: { name }, owner }) => {
      const outer = wordsOf(owner.name.text);
      const words = wordsOf(name.text);
      return (
        words.length > outer.length &&
        outer.every((word, index) => word === words[index]) && {
          at: name,
          message: `\`${name.text}\` repeats the name of \`${owner.name.text}\``,
          help: "remove the repeated part",
        }
      );
    },
  ),

  "request-standard-name": misnamedMessage("input", "Request"),
  "response-standard-name": misnamedMessage("output", "Response"),
} satisfies LintRules;

const misnamedFields = inNodes(["fields"], ({ syntax, document, owner }) => {
  const { name } = syntax;
  if (isCamelCase(name.text)) return false;
  const fix = createNameFix(syntax, owner, document);
  return {
    at: name,
    message: `field \`${name.text}\` is not in camelCase`,
    help: `rename it to \`${toCamelCase(name.text)}\`, and keep its name on the wire with \`+ json = ${name.text}\``,
    ...(fix && { fix }),
  };
});

const misnamedArguments = inNodes(
  ["arguments"],
  ({ syntax: { name } }) =>
    !isCamelCase(name.text) && {
      at: name,
      message: `argument \`${name.text}\` is not in camelCase`,
      help: `rename it to \`${toCamelCase(name.text)}\`; this changes its name on the wire`,
    },
);

/**
 * Creates a rule about messages, whose names can begin with the service's name.
 */
function misnamedMessage(
  side: "input" | "output",
  ending: "Request" | "Response",
): LintRule {
  return inNodes(
    ["methods"],
    ({ syntax: { name, [side]: message }, owner }) => {
      const plain = name.text + ending;
      const long = toPascalCase(owner.name.text) + plain;
      const used = message.succinct;
      return (
        used !== undefined &&
        ![plain, long].includes(used.text) && {
          at: used,
          message: `the ${ending.toLowerCase()} of \`${name.text}\` is named \`${used.text}\``,
          help: `rename it to \`${plain}\``,
        }
      );
    },
  );
}

/**
 * Creates a fix that renames a field but keeps its name on the wire. Returns
 * null if the name is taken, or if anything but a comment follows the field on
 * its line.
 */
function createNameFix(
  { name, type, metadata, ...field }: Field,
  { fields }: StructDeclaration,
  document: LoadedDocument,
): Fix | null {
  const better = toCamelCase(name.text);
  const isTaken = fields.some(
    (each) =>
      each.name !== name && foldName(each.name.text) === foldName(better),
  );
  if (isTaken) return null;
  if (findJsonName({ metadata })) {
    return { location: locate(document, name), replacement: better };
  }
  const { text } = document.syntax.source;
  const end = lineEndAfter(text, type.span.end);
  const rest = text.slice(type.span.end, end);
  if (!/^[ \t]*(#.*)?$/.test(rest)) return null;
  const lineStart = lineStartAt(text, field.span.start);
  const indent = text.slice(lineStart, field.span.start).match(/^[ \t]*/)?.[0];
  const kept = text.slice(name.span.end, end);
  return {
    location: locate(document, { span: { start: name.span.start, end } }),
    replacement: `${better}${kept}\n${indent ?? ""}  + json = ${name.text}`,
  };
}

/** Returns the offset of the next line break, including a CR, or of the end. */
function lineEndAfter(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

const styles: readonly (readonly [name: string, form: RegExp])[] = [
  ["UPPER_CASE", /^[A-Z][A-Z0-9_]*$/],
  ["lower_case", /^[a-z][a-z0-9_]*$/],
  ["PascalCase", /^[A-Z][A-Za-z0-9]*$/],
  ["camelCase", /^[a-z][A-Za-z0-9]*$/],
];

/** Names of JavaScript globals and TypeScript utility types. */
export const globalNames: readonly string[] = [
  ..."Array AsyncIterable BigInt Boolean Date Error Infinity JSON Map Math NaN".split(
    " ",
  ),
  ..."Number Object Partial Promise Readonly Record RegExp Set".split(" "),
  ..."String Symbol TypeError URL Uint8Array".split(" "),
];

/**
 * Members with a special meaning in JavaScript, such as `constructor`, and
 * `then`, which makes an object a promise.
 */
export const memberNames: readonly string[] = [
  ..."constructor hasOwnProperty isPrototypeOf propertyIsEnumerable".split(" "),
  ..."prototype then toJSON toLocaleString toString valueOf".split(" "),
];

const foldedMemberNames: ReadonlySet<string> = new Set(
  memberNames.map((name) => name.toLowerCase()),
);
