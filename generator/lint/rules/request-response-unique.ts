import type { Message, Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { lookUpLoosely } from "../../2-check/program/reach.js";
import type { DeclaredType } from "../../2-check/program/program.js";
import { locate, relate } from "../../2-check/report/report.js";
import type { Finding } from "../facts/finding.js";
import type { LintRule } from "./rule.js";

interface Use {
  readonly name: Word;
  readonly document: LoadedDocument;
}

/** A struct is the message of one method, so that the method can change. */
export const requestResponseUnique: LintRule = {
  code: "request-response-unique",
  category: "standard",
  find: ({ nodes, scopes }) => {
    const first = new Map<DeclaredType, Use>();
    return nodes.messages.flatMap(
      ({ syntax, document }): readonly Finding[] => {
        const use = useOf(syntax, document);
        const scope = scopes.get(document.path);
        const type = use && scope && lookUpLoosely(scope, use.name.text);
        if (!type) return [];
        const before = first.get(type);
        if (before === undefined) first.set(type, use);
        return before === undefined ? [] : [explain(use, before)];
      },
    );
  },
};

function useOf(
  { succinct }: Message,
  document: LoadedDocument,
): Use | undefined {
  return succinct && { name: succinct, document };
}

function explain({ name, document }: Use, before: Use): Finding {
  return {
    location: locate(document, name),
    message: `\`${name.text}\` is the message of another method too`,
    related: [relate(before.document, before.name, "used here first")],
    help: "give each request and each response a struct of its own",
  };
}
