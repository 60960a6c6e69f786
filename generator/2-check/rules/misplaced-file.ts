import type {
  Argument,
  Field,
  Method,
  StructDeclaration,
  TypeExpression,
  Word,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { isReadVerb } from "../../ir/bodiless.js";
import { rememberEach } from "../../ir/remember.js";
import { findAnnotation } from "../notation/annotations.js";
import { jsonNameOf, variantsOf } from "../notation/metadata.js";
import { bindingOf, verbOf } from "../notation/rest-binding.js";
import { collectNodes, namesIn } from "../program/nodes.js";
import type { Program } from "../program/program.js";
import { findType } from "../program/reach.js";
import type { Finding } from "../report/finding.js";
import type { Rule } from "./rule.js";

/**
 * JSON cannot contain files. They can be arguments of a request, fields of the
 * request's struct, or the only output.
 */
export const misplacedFile: Rule = (program) => {
  if (!program.documents.some(hasFiles)) return [];
  const { nodes } = program;
  const reports = nodes.methods.flatMap(({ syntax, document }) => {
    const { succinct } = syntax.output;
    return succinct?.text === "file" && !mayReturnFiles(syntax)
      ? reportFile(document, succinct)
      : [];
  });
  const uploads = findUploads(program);
  const downloads = new Set(
    nodes.methods.flatMap(({ syntax }) =>
      mayReturnFiles(syntax) && syntax.output.arguments.length === 1
        ? syntax.output.arguments
        : [],
    ),
  );
  const owners = [...nodes.aliases, ...nodes.fields, ...nodes.arguments];
  const others = owners.flatMap(({ syntax: owner, document }) => {
    const { type } = owner;
    const variants = variantsOf(owner).flatMap(({ type }) => namesIn(type));
    if (uploads.has(owner) && isFile(elementOf(type))) return [];
    if (owner.kind === "argument" && downloads.has(owner) && isFile(type)) {
      return [];
    }
    return [...namesIn(type), ...variants]
      .filter(({ text }) => text === "file")
      .map((name) => reportFile(document, name));
  });
  return [...reports, ...others];
};

function reportFile(document: LoadedDocument, name: Word): Finding {
  return {
    document,
    at: name,
    message: "a `file` cannot be part of a JSON value",
    notes: [
      "a file can be an argument or a field of a request, or the only output of a method",
      "in a REST method, it is in a form (`@form`) or the whole body: the field of `@requestBody`, or the only output of a method with one status",
      "streams and webhooks cannot contain files",
    ],
  };
}

/**
 * Whether all fields of a request may be files. Those of webhooks, and of methods
 * that return streams, are always JSON.
 */
function mayHaveFiles(method: Method): boolean {
  const isRest = bindingOf(method) !== null;
  const isForm = findAnnotation(method, "form") !== undefined;
  const isWhole = findAnnotation(method, "requestBody") !== undefined;
  return !isAlwaysJson(method) && (!isRest || (isForm && !isWhole));
}

/** Returns the name of the field that may be a file as the whole body, or null. */
function wholeFieldOf(method: Method): string | null {
  const binding = bindingOf(method);
  const mayBeFile =
    binding !== null &&
    !isReadVerb(verbOf(binding)) &&
    findAnnotation(method, "form") === undefined &&
    !isAlwaysJson(method);
  const whole = findAnnotation(method, "requestBody")?.value?.text;
  return mayBeFile ? (whole ?? null) : null;
}

function isAlwaysJson(method: Method): boolean {
  const isWebhook = findAnnotation(method, "webhook") !== undefined;
  return method.output.isStream || isWebhook;
}

/**
 * Whether a method may return a file. With several statuses, the body of one would
 * be a file, and of another something else.
 */
function mayReturnFiles(method: Method): boolean {
  const binding = bindingOf(method);
  if (isAlwaysJson(method) || binding === null) return !isAlwaysJson(method);
  return (
    binding.statuses.length < 2 &&
    binding.responseHeaders.length === 0 &&
    findAnnotation(method, "responseStatus") === undefined
  );
}

/** Returns the arguments and fields that only requests contain. */
function findUploads(program: Program): ReadonlySet<unknown> {
  const owners = new Set<unknown>();
  const others = structsInJson(program);
  for (const { syntax, document } of program.nodes.methods) {
    const whole = wholeFieldOf(syntax);
    if (whole === null && !mayHaveFiles(syntax)) continue;
    const { arguments: all, succinct } = syntax.input;
    const body = findType(program, document, succinct?.text)?.syntax;
    const isStruct = body?.kind === "struct" && !others.has(body);
    [...all, ...(isStruct ? body.fields : [])]
      .filter((field) => whole === null || isWholeFile(field, whole))
      .forEach((field) => owners.add(field));
  }
  return owners;
}

/** Whether a field has the name of the body, and is a single file. */
function isWholeFile(field: Argument | Field, name: string): boolean {
  return isFile(field.type) && jsonNameOf(field) === name;
}

/**
 * Returns the structs that are responses, requests without files, or used inside
 * other types or messages.
 */
function structsInJson(program: Program): ReadonlySet<StructDeclaration> {
  const { methods, typeExpressions } = program.nodes;
  const names = typeExpressions.flatMap(({ syntax, document }) =>
    syntax.kind === "name" ? { word: syntax.name, document } : [],
  );
  const bodies = methods.flatMap(({ syntax, document }) => {
    const { input, output } = syntax;
    const hasFiles = mayHaveFiles(syntax) || wholeFieldOf(syntax) !== null;
    const request = hasFiles ? undefined : input.succinct;
    return [output.succinct, request].map((word) => ({ word, document }));
  });
  const found = [...names, ...bodies].flatMap(({ word, document }) => {
    const type = findType(program, document, word?.text)?.syntax;
    return type?.kind === "struct" ? type : [];
  });
  return new Set(found);
}

/**
 * Returns the element type of a list, because an upload can be a list of files.
 * Returns any other type unchanged.
 */
function elementOf(type: TypeExpression): TypeExpression {
  return type.kind === "list" ? type.element : type;
}

/** Whether a type or a message of a document is a `file` or contains one. */
const hasFiles = rememberEach((document: LoadedDocument) => {
  if (!document.syntax.source.text.includes("file")) return false;
  const { messages, typeExpressions } = collectNodes([document]);
  return (
    typeExpressions.some(({ syntax }) => isFile(syntax)) ||
    messages.some(({ syntax }) => syntax.succinct?.text === "file")
  );
});

function isFile(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "file";
}
