import type { Field, StructDeclaration } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findMetadata } from "../../2-check/notation/metadata.js";
import { locate } from "../../2-check/report/report.js";
import { foldName } from "../../2-check/program/scope.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { isCamelCase, toCamelCase } from "../facts/casing.js";
import type { LintRule } from "./rule.js";

/**
 * Fields and arguments are named `likeThis`. The fix keeps the name on the
 * wire by `+ json`.
 */
export const fieldCamelCase: LintRule = {
  code: "field-camel-case",
  category: "standard",
  find: ({ nodes }) => {
    const fields = nodes.fields
      .filter(({ syntax }) => !isCamelCase(syntax.name.text))
      .map(({ syntax, document, owner }) => {
        const fix = createFix(syntax, owner, document);
        return {
          location: locate(document, syntax.name),
          message: `field \`${syntax.name.text}\` is not in camelCase`,
          help: `call it \`${toCamelCase(syntax.name.text)}\`, and keep its name on the wire by \`+ json = ${syntax.name.text}\``,
          ...(fix && { fix }),
        };
      });
    const given = nodes.arguments
      .filter(({ syntax }) => !isCamelCase(syntax.name.text))
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `argument \`${name.text}\` is not in camelCase`,
        help: `call it \`${toCamelCase(name.text)}\`; this changes the wire`,
      }));
    return [...fields, ...given];
  },
};

/** null when the name is taken, or when more follows on the line. */
function createFix(
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
  if (findMetadata({ metadata }, "json")) {
    return { location: locate(document, name), replacement: better };
  }
  const { text } = document.syntax.source;
  const end = lineEndAfter(text, type.span.end);
  const rest = text.slice(type.span.end, end);
  if (!/^[ \t]*(#.*)?$/.test(rest)) return null;
  const lineStart = text.lastIndexOf("\n", field.span.start - 1) + 1;
  const indent = text.slice(lineStart, field.span.start).match(/^[ \t]*/)?.[0];
  const kept = text.slice(name.span.end, end);
  return {
    location: locate(document, { span: { start: name.span.start, end } }),
    replacement: `${better}${kept}\n${indent ?? ""}  + json = ${name.text}`,
  };
}

/** Offset of the line break behind `offset`, CR included, or of the end. */
function lineEndAfter(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}
