import {
  credentialKey,
  findCredentials,
} from "../../../../generator/2-check/program/credentials.js";
import { foldKey } from "../../../../generator/ir/credentials-of.js";
import { jsonNameOf } from "../../../../generator/2-check/notation/metadata.js";
import { wireValueOf } from "../../../../generator/2-check/notation/wire-values.js";
import { structOf } from "../../../../generator/2-check/program/error-members.js";
import {
  fieldsOf,
  type MessageField,
} from "../../../../generator/2-check/program/messages.js";
import { resolveType } from "../../../../generator/2-check/program/resolve-type.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { lookUpIgnoringCase } from "../../../../generator/2-check/program/reach.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Message } from "../../../../generator/1-parse/ast.js";
import type { Mention, NamedSymbol } from "./mention.js";

/**
 * Finds the symbol that a word of a document refers to.
 * Returns null for words of the language and for names that do not resolve.
 */
export function resolveMention(
  program: Program,
  document: LoadedDocument,
  { meaning, text }: Mention,
): NamedSymbol | null {
  const scope = program.scopes.get(document.path);
  switch (meaning.kind) {
    case "declaration":
      return { syntax: meaning.syntax, document };
    case "type":
      if (scope === undefined) return null;
      return (
        (meaning.isLoose
          ? lookUpIgnoringCase(scope, text)
          : scope.typesByName.get(text)) ?? null
      );
    case "error":
      return scope?.errorsByName.get(text) ?? null;
    case "import-member":
      return resolveImported(program, meaning.target, text)[0] ?? null;
    case "credential":
      return findCredential(program, text);
    case "request-field":
      return findField(program, document, meaning.method.input, text);
    case "body":
      return findField(
        program,
        document,
        meaning.method.output,
        text,
        meaning.within,
      );
    case "sibling": {
      const { fields } = meaning.struct;
      const syntax = fields.find(({ name }) => name.text === text);
      return syntax ? { syntax, document } : null;
    }
    case "value": {
      const type = resolveType(program, document, meaning.type);
      if (type?.kind !== "enum" || type.declared.syntax.kind !== "enum")
        return null;
      const { document: owner, syntax } = type.declared;
      const member = syntax.members.find(
        (each) => wireValueOf(syntax, each) === text,
      );
      return member ? { syntax: member, document: owner } : null;
    }
    case "annotation":
    case "header-key":
    case "import":
    case "metadata-key":
      return null;
  }
}

/**
 * Finds the symbols that a name in an import refers to: a type, an error and a
 * service can have the same name.
 */
export function resolveImported(
  program: Program,
  { path }: { readonly path: string },
  name: string,
): readonly NamedSymbol[] {
  const imported = program.scopes.get(path);
  return [
    imported?.typesByName.get(name),
    imported?.errorsByName.get(name),
    imported?.services.find(({ syntax }) => syntax.name.text === name),
  ].filter((symbol) => symbol !== undefined);
}

function findCredential(program: Program, key: string): NamedSymbol | null {
  const found = findCredentials(program).find(
    ({ syntax }) => foldKey(credentialKey(syntax) ?? "") === foldKey(key),
  );
  return found ?? null;
}

function findField(
  program: Program,
  document: LoadedDocument,
  message: Message,
  jsonName: string,
  within: readonly string[] = [],
): NamedSymbol | null {
  let fields = fieldsOf(program, document, message);
  const find = (name: string): MessageField | undefined =>
    fields.find(({ syntax }) => jsonNameOf(syntax) === name);
  for (const name of within) {
    const holder = find(name);
    const type =
      holder && resolveType(program, holder.document, holder.syntax.type);
    const struct = structOf(type ?? null);
    if (struct === null) return null;
    const { document, syntax } = struct;
    fields = syntax.fields.map((field) => ({ document, syntax: field }));
  }
  return find(jsonName) ?? null;
}
