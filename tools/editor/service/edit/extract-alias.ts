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
import type { CodeAction, DocumentEdit } from "../model/results.js";
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
  const moved = owner.kind === "field" ? owner.metadata.filter(isMovable) : [];
  const { text } = document.syntax.source;
  const lines = moved.map(
    ({ key, value }) =>
      `  + ${key.text} = ${text.slice(value.span.start, value.span.end)}\n`,
  );
  const at = startOfItem(document, owner.span.start);
  const declaration = `type ${name}: ${printType(type)}\n${lines.join("")}\n`;
  return [
    {
      title: `extract alias \`${name}\``,
      kind: "extract",
      edits: [
        replaceText(document, at, at, declaration),
        replaceText(document, type.span.start, type.span.end, name),
        ...moved.map((entry) => removeLine(document, entry)),
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

function isMovable({ key }: Metadata): boolean {
  const meaning = metadataKeys.get(key.text);
  return meaning !== undefined && meaning.on.includes("alias");
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

function removeLine(
  document: LoadedDocument,
  { span }: Metadata,
): DocumentEdit {
  const { text } = document.syntax.source;
  const start = text.lastIndexOf("\n", span.start - 1);
  const lineEnd = text.indexOf("\n", span.end);
  return {
    path: document.path,
    span: { start, end: lineEnd === -1 ? text.length : lineEnd },
    replacement: "",
  };
}
