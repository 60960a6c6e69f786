import type { Argument, Message } from "../../../../generator/1-parse/ast.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { findType } from "../../../../generator/2-check/program/reach.js";
import { annotationDocs } from "../hover/language-docs.js";
import { printDeclaration } from "../hover/print-declaration.js";
import { printDocs } from "../hover/print-docs.js";
import type { SignatureHelp, SignatureParameter } from "../model/results.js";
import { betweenArguments, readLine } from "./line-context.js";

/**
 * Finds the signature of the annotation at an offset, or of the method whose
 * message is there.
 */
export function findSignature(
  program: Program,
  document: LoadedDocument,
  offset: number,
): SignatureHelp | null {
  const { before, block } = readLine(document, offset);
  const annotation = /@(\w+):(?:"[^"]*|\w*)$/.exec(before)?.[1];
  if (annotation !== undefined) return describeAnnotation(annotation);
  const method = document.syntax.items
    .flatMap((item) => (item.kind === "service" ? item.methods : []))
    .find(({ span }) => span.start <= offset && offset <= span.end);
  if (method === undefined) {
    return block === "service" ? describeUnfinished(before) : null;
  }
  const sides = [method.input, method.output];
  if (!sides.some(({ span }) => isInside(span, offset))) return null;
  let label = method.name.text;
  const parameters: SignatureParameter[] = [];
  let active: number | null = null;
  for (const side of sides) {
    label += side === method.output ? " => (" : "(";
    for (const [index, part] of partsOf(program, document, side).entries()) {
      if (index > 0) label += ", ";
      const start = label.length;
      label += part.text;
      if (isInside(part.span, offset)) active = parameters.length;
      const span = { start, end: label.length };
      parameters.push({ span, docs: part.docs });
    }
    label += ")";
  }
  return { label, docs: printDocs(method), parameters, active };
}

/**
 * Describes a message that is missing from the syntax tree because it has no
 * `)`. Input: the text from the start of the line to the cursor.
 */
function describeUnfinished(before: string): SignatureHelp | null {
  const [, label = ""] = /^\s*-\s*(\w.*)$/.exec(before) ?? [];
  const open = label.lastIndexOf("(");
  if (open <= label.lastIndexOf(")")) return null;
  const parameters: SignatureParameter[] = [];
  let end = open;
  for (const text of label.slice(open + 1).split(betweenArguments)) {
    const start = end + 1 + text.length - text.trimStart().length;
    end += 1 + text.length;
    parameters.push({ span: { start, end }, docs: "" });
  }
  const active = parameters.length - 1;
  return { label: `${label})`, docs: "", parameters, active };
}

interface PrintedParameter {
  readonly text: string;
  readonly docs: string;
  readonly span: Message["span"];
}

function partsOf(
  program: Program,
  document: LoadedDocument,
  { arguments: list, span, succinct }: Message,
): readonly PrintedParameter[] {
  if (succinct === undefined) {
    return list.map((argument: Argument) => ({
      text: printDeclaration({ syntax: argument, document }),
      docs: "",
      span: argument.span,
    }));
  }
  const type = findType(program, document, succinct.text);
  const docs = type ? `\`\`\`ridl\n${printDeclaration(type)}\n\`\`\`` : "";
  return [{ text: succinct.text, docs, span }];
}

function isInside({ start, end }: Message["span"], offset: number): boolean {
  return start < offset && offset <= end;
}

const forms: Readonly<Record<string, string>> = {
  auth: '@auth:"header, …"',
  body: "@body:output",
  contentType: '@contentType:"media type"',
  deprecated: '@deprecated:"what to use instead"',
  get: '@get:"/path/{field}?field"',
  http: '@http:"VERB /path/{field}?field&name={field} STATUS"',
  requestBody: "@requestBody:field",
  responseStatus: "@responseStatus:field",
  responseHeaders: '@responseHeaders:"field, Name={field}"',
  requestHeaders: '@requestHeaders:"field, Name={field}"',
};

function describeAnnotation(name: string): SignatureHelp | null {
  const label = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (label === undefined) return null;
  const span = { start: label.indexOf(":") + 1, end: label.length };
  const docs = annotationDocs(name) ?? "";
  return { label, docs, parameters: [{ span, docs: "" }], active: 0 };
}
