import type { Message, Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { DeclaredType } from "../../2-check/program/program.js";
import { lookUpLoosely } from "../../2-check/program/reach.js";
import type { Finding } from "../../2-check/report/finding.js";
import { locate, relate } from "../../2-check/report/report.js";
import { wordsOf } from "../facts/casing.js";
import { isVerb } from "../facts/verbs.js";
import type { LintRules } from "./rule.js";

/** Rules about methods and their messages. */
export const methodRules = {
  "method-succinct": ({ nodes }) =>
    nodes.methods
      .filter(({ syntax }) => !syntax.isProxy)
      .filter(({ syntax }) => isList(syntax.input) || isList(syntax.output))
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `\`${name.text}\` lists arguments where structs would do`,
        help: `declare \`${name.text}Request\` and \`${name.text}Response\`, and write \`${name.text}(${name.text}Request) => (${name.text}Response)\`; the wire stays the same`,
      })),

  "method-verb": ({ nodes }) =>
    nodes.methods.flatMap(({ syntax: { name }, document }) => {
      const [first = ""] = wordsOf(name.text);
      if (isVerb(first)) return [];
      return {
        location: locate(document, name),
        message: `\`${name.text}\` does not begin with a verb`,
        help: "say first what it does, as `GetStatus` and `IsValid` do",
      };
    }),

  "request-response-unique": ({ nodes, scopes }) => {
    const first = new Map<DeclaredType, Use>();
    return nodes.messages.flatMap(
      ({ syntax, document }): readonly Finding[] => {
        const use = useOf(syntax, document);
        const scope = scopes.get(document.path);
        const type = use && scope && lookUpLoosely(scope, use.name.text);
        if (!type) return [];
        const before = first.get(type);
        if (before === undefined) first.set(type, use);
        return before === undefined ? [] : [reportShared(use, before)];
      },
    );
  },
} satisfies LintRules;

function isList(message: Message): boolean {
  return message.arguments.length > 0;
}

interface Use {
  readonly name: Word;
  readonly document: LoadedDocument;
}

function useOf(
  { succinct }: Message,
  document: LoadedDocument,
): Use | undefined {
  return succinct && { name: succinct, document };
}

function reportShared({ name, document }: Use, before: Use): Finding {
  return {
    location: locate(document, name),
    message: `\`${name.text}\` is the message of another method too`,
    related: [relate(before.document, before.name, "used here first")],
    help: "give each request and each response a struct of its own",
  };
}
