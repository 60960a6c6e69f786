import type { AliasDeclaration, Word } from "../../1-parse/ast.js";
import { findMetadata } from "../notation/metadata.js";
import { dataKey, listErrorsWithData } from "../notation/error-data.js";
import type { Declared, Program, Scope } from "../program/program.js";
import { resolveType } from "../program/resolve-type.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import {
  inNodes,
  locate,
  type NodeFinding,
  relate,
} from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** Rules about the data of errors. */
export const errorDataRules = {
  "invalid-error-data": inNodes(["aliases"], (node, program) => {
    const names = listErrorsWithData(node.syntax);
    const scope = program.scopes.get(node.document.path);
    if (names === null || scope === undefined) return false;
    const value = findMetadata(node.syntax, dataKey)?.value;
    if (names.length === 0 && value !== undefined) {
      return {
        at: value,
        message: `\`${dataKey}\` does not name an error`,
        help: `write it like \`+ ${dataKey} = NotFound\``,
      };
    }
    return [
      ...names.flatMap((name) => findNameFault(name, node, scope) ?? []),
      ...findTypeFaults(node, program),
    ];
  }),

  "duplicate-error-data": ({ nodes }) => {
    const named = nodes.aliases.flatMap(({ syntax, document }) =>
      (listErrorsWithData(syntax) ?? []).map((name) => ({ name, document })),
    );
    return findDuplicates(named, ({ name }) => name.text).map(
      ({ again, first }) => ({
        document: again.document,
        at: again.name,
        message: `error \`${again.name.text}\` has two types of data`,
        related: [relate(first, first.name, "first given here")],
        help: "remove one of them",
      }),
    );
  },
} satisfies CheckRules;

function findNameFault(
  name: Word,
  { document }: Declared<AliasDeclaration>,
  { errorsByName, isComplete }: Scope,
): NodeFinding | null {
  const error = errorsByName.get(name.text);
  if (error === undefined) {
    if (!isComplete) return null;
    const suggestion = name.text.startsWith("Webrpc")
      ? { notes: ["built-in errors carry no data"] }
      : didYouMean(name.text, errorsByName.keys(), locate(document, name));
    const message = `error \`${name.text}\` is not declared`;
    return { at: name, message, ...suggestion };
  }
  if (error.document === document) return null;
  return {
    at: name,
    message: `error \`${name.text}\` is declared in another document`,
    related: [relate(error, error.syntax.name, "declared here")],
    help: "declare the data of an error in the same document as the error",
  };
}

function findTypeFaults(
  { document, syntax }: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  const type = resolveType(program, document, syntax.type);
  if (type === null || type.kind === "struct") return [];
  return [
    {
      at: syntax.type,
      message: `the data of an error must be a struct, but \`${syntax.name.text}\` is not`,
      help: "declare a struct with the data as a field",
    },
  ];
}
