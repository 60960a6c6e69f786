import type {
  Method,
  StructDeclaration,
  TypeExpression,
  Word,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findAnnotation } from "../notation/annotations.js";
import { namesIn } from "../program/nodes.js";
import type { Program } from "../program/program.js";
import { lookUpLoosely } from "../program/reach.js";
import { type Finding, errorAt } from "../report/finding.js";
import { locate } from "../report/report.js";
import type { Rule } from "./rule.js";

/**
 * Files travel beside JSON, not in it: as arguments of a request, as fields of
 * the struct that is the request, or as the only output.
 */
export const misplacedFile: Rule = (program) => {
  const { nodes } = program;
  const reports = nodes.methods.flatMap(({ syntax, document }) => {
    const { succinct } = syntax.output;
    return succinct?.text === "file" && !mayHaveFiles(syntax)
      ? reportFile(document, succinct)
      : [];
  });
  if (!nodes.coreTypes.has("file")) return reports;
  const uploads = findUploads(program);
  const downloads = new Set(
    nodes.methods.flatMap(({ syntax }) =>
      mayHaveFiles(syntax) && syntax.output.arguments.length === 1
        ? syntax.output.arguments
        : [],
    ),
  );
  const owners = [...nodes.aliases, ...nodes.fields, ...nodes.arguments];
  const others = owners.flatMap(({ syntax: owner, document }) => {
    const { type } = owner;
    if (uploads.has(owner) && isFile(elementOf(type))) return [];
    if (owner.kind === "argument" && downloads.has(owner) && isFile(type)) {
      return [];
    }
    return namesIn(type)
      .filter(({ text }) => text === "file")
      .map((name) => reportFile(document, name));
  });
  return [...reports, ...others];
};

function reportFile(document: LoadedDocument, name: Word): Finding {
  return errorAt(
    locate(document, name),
    "a `file` cannot be part of a JSON value",
    {
      notes: [
        "files are arguments of a request, or the only output of a method",
        "streams, REST reads and webhooks have none",
      ],
    },
  );
}

/** Streams, REST reads and webhooks are JSON through and through. */
function mayHaveFiles(method: Method): boolean {
  const isRead = findAnnotation(method, "get")?.value !== undefined;
  const isWebhook = findAnnotation(method, "webhook") !== undefined;
  return !method.output.isStream && !isRead && !isWebhook;
}

/** The arguments and fields that a request consists of, and no response. */
function findUploads(program: Program): ReadonlySet<unknown> {
  const owners = new Set<unknown>();
  const others = structsInJson(program);
  for (const { syntax, document } of program.nodes.methods) {
    if (!mayHaveFiles(syntax)) continue;
    syntax.input.arguments.forEach((argument) => owners.add(argument));
    const scope = program.scopes.get(document.path);
    const name = syntax.input.succinct?.text;
    const body = scope && name ? lookUpLoosely(scope, name)?.syntax : undefined;
    if (body?.kind !== "struct" || others.has(body)) continue;
    body.fields.forEach((field) => owners.add(field));
  }
  return owners;
}

/** The structs that are part of others, or that are responses. */
function structsInJson({
  nodes,
  scopes,
}: Program): ReadonlySet<StructDeclaration> {
  const bodies = nodes.methods.flatMap(({ syntax: { output }, document }) =>
    output.succinct ? { syntax: output.succinct, document } : [],
  );
  const names = [...nodes.typeNames, ...bodies];
  const found = names.flatMap(({ syntax, document }) => {
    const scope = scopes.get(document.path);
    const type = scope && lookUpLoosely(scope, syntax.text)?.syntax;
    return type?.kind === "struct" ? type : [];
  });
  return new Set(found);
}

/** A list of files is sent like one file. */
function elementOf(type: TypeExpression): TypeExpression {
  return type.kind === "list" ? type.element : type;
}

function isFile(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "file";
}
