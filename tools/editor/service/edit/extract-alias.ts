import type {
  Argument,
  Field,
  Metadata,
} from "../../../../generator/1-parse/ast.js";
import { printType } from "../../../../generator/1-parse/print-lines.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { metadataKeys } from "../../../../generator/2-check/notation/notation.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { foldName } from "../../../../generator/2-check/program/scope.js";
import { isScalarName } from "../../../../generator/ir/scalars.js";
import type { Span } from "../../../../generator/source/source.js";
import {
  lineEndAt,
  lineStartAt,
} from "../../../../generator/source/line-index.js";
import type { CodeAction } from "../model/results.js";
import { replaceText } from "../model/document-edits.js";
import { startOfItem } from "./declare-missing.js";

/** Offers to move the type at a span, with its limits, into an alias. */
export function extractAlias(
  program: Program,
  document: LoadedDocument,
  span: Span,
): readonly CodeAction[] {
  const owner = findOwner(document, span);
  if (owner === undefined) return [];
  const { type } = owner;
  // A declared type already has a name, and no alias can be a file.
  if (type.kind === "name" && !isScalarName(type.name.text)) return [];
  if (/\bfile\b/.test(printType(type))) return [];
  const name = freeName(program, owner.name.text);
  const metadata = owner.kind === "field" ? owner.metadata : [];
  // Variants need the type that would be moved.
  if (metadata.some(({ key }) => key.text === "oneOf")) return [];
  const moved: Span[] = [];
  for (const entry of metadata.filter(isMovable)) {
    const lines = findLines(document, entry);
    if (lines === null) return [];
    moved.push(lines);
  }
  const { text } = document.syntax.source;
  const lines = moved
    .flatMap(({ start, end }) => text.slice(start, end).trimEnd().split("\n"))
    .map((line) => `  ${line.trim()}\n`);
  const at = startOfItem(document, owner.span.start);
  const declaration = `type ${name}: ${printType(type)}\n${lines.join("")}\n`;
  return [
    {
      title: `extract alias \`${name}\``,
      kind: "extract",
      edits: [
        replaceText(document, at, at, declaration),
        replaceText(document, type.span.start, type.span.end, name),
        ...moved.map(({ start, end }) => replaceText(document, start, end, "")),
      ],
      isPreferred: false,
    },
  ];
}

function findOwner(
  { syntax }: LoadedDocument,
  { start, end }: Span,
): Argument | Field | undefined {
  return syntax.items
    .flatMap((item): readonly (Argument | Field)[] => {
      if (item.kind === "struct") return item.fields;
      if (item.kind !== "service") return [];
      return item.methods.flatMap(({ input, output }) => [
        ...input.arguments,
        ...output.arguments,
      ]);
    })
    .find(({ type }) => type.span.start <= start && end <= type.span.end);
}

/** Whether an entry describes values, so that it means the same on an alias. */
function isMovable({ key }: Metadata): boolean {
  const limits = metadataKeys.get(key.text)?.limits ?? null;
  return (
    limits !== null || ["example", "nullable", "sensitive"].includes(key.text)
  );
}

/** Returns a name for a type that no document declares. */
function freeName({ scopes }: Program, field: string): string {
  // Names of arguments can begin with `_`, and names can be invalid.
  const letters = field.replace(/^[^A-Za-z]+|\W/g, "") || "value";
  const name = letters.charAt(0).toUpperCase() + letters.slice(1);
  const taken = new Set(
    [...scopes.values()].flatMap(({ own }) =>
      own.types.map(({ syntax }) => foldName(syntax.name.text)),
    ),
  );
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}${number}`;
    if (!taken.has(foldName(free))) return free;
  }
}

/**
 * Returns the lines of an entry, with the comments above it and behind it, or null
 * if its line contains anything else.
 */
function findLines(
  { syntax }: LoadedDocument,
  { span }: Metadata,
): Span | null {
  const { text } = syntax.source;
  let start = lineStartAt(text, span.start);
  const lineEnd = lineEndAt(text, span.end);
  const isAlone =
    text.slice(start, span.start).trim() === "" &&
    /^[ \t]*(?:#|$)/.test(text.slice(span.end, lineEnd));
  if (!isAlone) return null;
  while (start > 0) {
    const above = lineStartAt(text, start - 1);
    if (!/^\s*#/.test(text.slice(above, start))) break;
    start = above;
  }
  const next = text.indexOf("\n", lineEnd);
  return { start, end: next === -1 ? text.length : next + 1 };
}
