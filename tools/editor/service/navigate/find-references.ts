import { credentialKey } from "../../../../generator/2-check/program/credentials.js";
import { jsonNameOf } from "../../../../generator/2-check/notation/metadata.js";
import { foldName } from "../../../../generator/2-check/program/scope.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { findMentions } from "../names/collect-mentions.js";
import type { Mention, NamedSymbol } from "../names/mention.js";
import { resolveMention } from "../names/resolve-mention.js";
import type { Workspace } from "../workspace/workspace.js";

/** A word that refers to a symbol. */
export interface SymbolReference {
  readonly document: LoadedDocument;
  readonly mention: Mention;
}

/**
 * Finds every word of a workspace that refers to a symbol, including its name.
 * `find` returns the words of a document with one of several names.
 */
export function findReferences(
  workspace: Workspace,
  { syntax }: NamedSymbol,
  find = findMentions,
): readonly SymbolReference[] {
  const names = new Set(spellingsOf(syntax).map(foldName));
  const seen = new Set<LoadedDocument>();
  return workspace.parts.flatMap(({ program }) =>
    program.documents.flatMap((document) => {
      if (seen.has(document)) return [];
      seen.add(document);
      return find(document, names)
        .filter(
          (mention) =>
            resolveMention(program, document, mention)?.syntax === syntax,
        )
        .map((mention) => ({ document, mention }));
    }),
  );
}

/**
 * Lists the spellings that refer to a symbol. Credentials are also referred to
 * by their key, and fields by their JSON name.
 */
function spellingsOf(syntax: NamedSymbol["syntax"]): readonly string[] {
  const name = syntax.name.text;
  if (syntax.kind === "alias") {
    return [name, credentialKey(syntax) ?? name];
  }
  return syntax.kind === "field" ? [name, jsonNameOf(syntax) ?? name] : [name];
}
