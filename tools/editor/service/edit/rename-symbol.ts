import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import {
  findJsonName,
  jsonNameOf,
  metadataValue,
} from "../../../../generator/2-check/notation/metadata.js";
import { structOf } from "../../../../generator/2-check/program/error-members.js";
import { resolveType } from "../../../../generator/2-check/program/resolve-type.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { foldName } from "../../../../generator/2-check/program/scope.js";
import type { DocumentEdit, Rename, RenameStart } from "../model/results.js";
import { findMentions, mentionAt } from "../names/collect-mentions.js";
import { isValidName } from "../names/is-valid-name.js";
import type { Mention, NamedSymbol, NamedSyntax } from "../names/mention.js";
import { ownerOf } from "../names/owner-of.js";
import { resolveImported, resolveMention } from "../names/resolve-mention.js";
import {
  findReferences,
  type SymbolReference,
} from "../navigate/find-references.js";
import type { Workspace } from "../workspace/workspace.js";

/**
 * Returns the name at an offset. Returns null if there is none, or if the text
 * at the offset differs from the symbol's name.
 */
export function startRename(
  program: Program,
  document: LoadedDocument,
  offset: number,
): RenameStart | null {
  const mention = mentionAt(document, offset);
  const symbol = mention && resolveMention(program, document, mention);
  if (!symbol || !isSpelledOut(mention, symbol)) return null;
  const name = symbol.syntax.name.text;
  return { span: nameSpan({ document, mention }), name };
}

/** Returns the edits that rename the symbol at an offset. */
export function renameSymbol(
  workspace: Workspace,
  program: Program,
  document: LoadedDocument,
  offset: number,
  name: string,
): Rename {
  const mention = mentionAt(document, offset);
  const symbol = mention && resolveMention(program, document, mention);
  if (!symbol || !isSpelledOut(mention, symbol)) {
    return refuse("there is no name to rename here");
  }
  const fault =
    findNameFault(symbol.syntax, name) ?? findConflict(workspace, symbol, name);
  if (fault !== null) return refuse(fault);
  const union = findTagged(workspace, symbol);
  if (union !== null) {
    return refuse(
      `\`${symbol.syntax.name.text}\` is the tag of \`${union}\`, so it needs \`+ json = ${symbol.syntax.name.text}\` first`,
    );
  }
  const shared = findSharedImport(workspace, symbol);
  if (shared !== null) {
    return refuse(
      `\`${shared.path}\` imports several declarations with this name in one line`,
    );
  }
  const references = findReferences(workspace, symbol).filter((reference) =>
    isSpelledOut(reference.mention, symbol),
  );
  const hidden = references.find((reference) => !isVerbatim(reference));
  if (hidden) {
    const { path } = hidden.document;
    return refuse(`\`${path}\` contains the name with escape sequences`);
  }
  const edits = references.map((reference): DocumentEdit => ({
    path: reference.document.path,
    span: nameSpan(reference),
    replacement: name,
  }));
  return { kind: "edits", edits };
}

/**
 * Returns the name of a union whose variants are told apart by a field. Another
 * name would be another tag, unless the field has a JSON name.
 */
function findTagged({ parts }: Workspace, symbol: NamedSymbol): string | null {
  const { syntax } = symbol;
  const owner = ownerOf(symbol);
  if (!hasOwnName(syntax) || owner?.kind !== "struct") return null;
  for (const { program } of parts) {
    const union = program.nodes.aliases.find(
      (alias) =>
        metadataValue(alias.syntax, "tag") === syntax.name.text &&
        alias.syntax.metadata
          .flatMap(({ variants = [] }) => variants)
          .some(({ type }) => {
            const variant = resolveType(program, alias.document, type);
            return structOf(variant)?.syntax === owner;
          }),
    );
    if (union !== undefined) return union.syntax.name.text;
  }
  return null;
}

/**
 * Finds a document with an import that lists the symbol's name and means other
 * symbols, too. The import would lose either the symbol or the others.
 */
function findSharedImport(
  { parts }: Workspace,
  { syntax }: NamedSymbol,
): LoadedDocument | null {
  const { text } = syntax.name;
  const names = new Set([foldName(text)]);
  for (const { program } of parts) {
    const document = program.documents.find((each) =>
      findMentions(each, names).some(({ meaning, text: name }) => {
        if (meaning.kind !== "import-member" || name !== text) return false;
        const all = resolveImported(program, meaning.target, name);
        return all.length > 1 && all.some((one) => one.syntax === syntax);
      }),
    );
    if (document !== undefined) return document;
  }
  return null;
}

function refuse(message: string): Rename {
  return { kind: "refused", message };
}

/** Whether a mention spells out the name. Headers and JSON names may differ. */
function isSpelledOut(
  { meaning, text }: Mention,
  { syntax }: NamedSymbol,
): boolean {
  switch (meaning.kind) {
    case "credential":
      return false;
    case "body":
    case "request-field":
      return text === syntax.name.text;
    case "value":
      // With a value of its own, a member keeps it on the wire.
      return (
        syntax.kind === "enum-member" &&
        text === syntax.name.text &&
        text !== syntax.value?.text
      );
    case "annotation":
    case "declaration":
    case "error":
    case "header-key":
    case "import":
    case "import-member":
    case "metadata-key":
    case "sibling":
    case "type":
      return true;
  }
}

/** Returns the span of a name without its quotes. */
function nameSpan({ document, mention }: SymbolReference): Mention["span"] {
  const { start, end } = mention.span;
  const isQuoted = document.syntax.source.text[start] === '"';
  return isQuoted ? { start: start + 1, end: end - 1 } : mention.span;
}

function isVerbatim(reference: SymbolReference): boolean {
  const { start, end } = nameSpan(reference);
  const { text } = reference.mention;
  const { source } = reference.document.syntax;
  return end - start === text.length && source.text.startsWith(text, start);
}

function findNameFault({ kind }: NamedSyntax, name: string): string | null {
  return isValidName(kind, name)
    ? null
    : `\`${name}\` cannot be the name of this ${kind.replace("enum-member", "member")}`;
}

function findConflict(
  workspace: Workspace,
  symbol: NamedSymbol,
  name: string,
): string | null {
  const folded = foldName(name);
  const others = conflictingSymbols(workspace, symbol).filter(
    ({ syntax }) => syntax !== symbol.syntax,
  );
  const conflict = others.find(
    ({ syntax }) => foldName(syntax.name.text) === folded,
  );
  if (conflict !== undefined) {
    return `\`${conflict.syntax.name.text}\` is already declared in \`${conflict.document.path}\``;
  }
  const namesake = others.find(
    ({ syntax }) =>
      hasOwnName(symbol.syntax) &&
      syntax.kind === "field" &&
      foldName(jsonNameOf(syntax) ?? "") === folded,
  );
  return namesake === undefined
    ? null
    : `\`${namesake.syntax.name.text}\` already has the JSON name \`${name}\``;
}

/** Whether a field's JSON name is its name. */
function hasOwnName(syntax: NamedSyntax): boolean {
  return syntax.kind === "field" && findJsonName(syntax) === undefined;
}

/** Lists the symbols among which the name of a symbol must be unique. */
function conflictingSymbols(
  { parts }: Workspace,
  symbol: NamedSymbol,
): readonly NamedSymbol[] {
  const { syntax, document } = symbol;
  const programs = parts
    .map(({ program }) => program)
    .filter(({ documents }) => documents.includes(document));
  const inDocument = (list: readonly NamedSyntax[]): NamedSymbol[] =>
    list.map((each) => ({ syntax: each, document }));
  switch (syntax.kind) {
    case "alias":
    case "enum":
    case "struct":
      return programs.flatMap(({ nodes }) => [
        ...nodes.aliases,
        ...nodes.enums,
        ...nodes.structs,
      ]);
    case "error":
      return programs.flatMap(({ nodes }) => nodes.errors);
    case "service":
      return programs.flatMap(({ nodes }) => nodes.services);
    case "argument":
    case "enum-member":
    case "field":
    case "method": {
      const owner = ownerOf(symbol);
      switch (owner?.kind) {
        case undefined:
          return [];
        case "enum":
          return inDocument(owner.members);
        case "service":
          return inDocument(owner.methods);
        case "struct":
          return inDocument(owner.fields);
        case "method": {
          const { input, output } = owner;
          const isInput = input.arguments.some((each) => each === syntax);
          return inDocument((isInput ? input : output).arguments);
        }
      }
    }
  }
}
