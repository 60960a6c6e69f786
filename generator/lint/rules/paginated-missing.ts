import type { Message } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import type { Program } from "../../2-check/program/program.js";
import { lookUpLoosely } from "../../2-check/program/reach.js";
import { locate } from "../../2-check/report/report.js";
import { wordsOf } from "../facts/casing.js";
import type { LintRule } from "./rule.js";

const listing: ReadonlySet<string> = new Set(["list", "search", "find"]);
const paging: ReadonlySet<string> = new Set(
  "page pagination paging cursor limit offset after".split(" "),
);

/** A method that lists things gets slow when there are many of them. */
export const paginatedMissing: LintRule = {
  code: "paginated-missing",
  category: "guesses",
  find: (program) =>
    program.nodes.methods.flatMap(({ syntax, document }) => {
      const [verb = ""] = wordsOf(syntax.name.text);
      if (!listing.has(verb) || syntax.output.isStream) return [];
      const partsOf = (message: Message): readonly Part[] =>
        listParts(message, document, program);
      const hasList = partsOf(syntax.output).some(
        (part) =>
          resolveType(program, part.document, part.type)?.kind === "list",
      );
      const hasPaging = partsOf(syntax.input).some(({ name }) =>
        wordsOf(name.text).some((word) => paging.has(word)),
      );
      if (!hasList || hasPaging) return [];
      return {
        location: locate(document, syntax.name),
        message: `\`${syntax.name.text}\` answers with a whole list`,
        help: "let the request choose a page, or a cursor and a limit",
      };
    }),
};

type Part = Pick<Message["arguments"][number], "name" | "type"> & {
  readonly document: LoadedDocument;
};

function listParts(
  message: Message,
  document: LoadedDocument,
  { scopes }: Program,
): readonly Part[] {
  const { succinct } = message;
  const scope = scopes.get(document.path);
  const struct = succinct && scope && lookUpLoosely(scope, succinct.text);
  if (struct?.syntax.kind === "struct") {
    return struct.syntax.fields.map(({ name, type }) => {
      return { name, type, document: struct.document };
    });
  }
  return message.arguments.map(({ name, type }) => ({ name, type, document }));
}
