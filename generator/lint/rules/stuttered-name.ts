import type { Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { locate } from "../../2-check/report/report.js";
import { wordsOf } from "../facts/casing.js";
import type { Finding } from "../facts/finding.js";
import type { LintRule } from "./rule.js";

/** `Wallet.walletName` says `wallet` twice. */
export const stutteredName: LintRule = {
  code: "stuttered-name",
  category: "guesses",
  find: ({ nodes }) => [
    ...nodes.fields.flatMap(({ syntax, owner, document }) =>
      explain(syntax.name, owner.name, document),
    ),
    ...nodes.enums.flatMap(({ syntax, document }) =>
      syntax.members.flatMap((member) =>
        explain(member.name, syntax.name, document),
      ),
    ),
  ],
};

function explain(
  name: Word,
  owner: Word,
  document: LoadedDocument,
): readonly Finding[] {
  const outer = wordsOf(owner.text);
  const words = wordsOf(name.text);
  const repeats =
    words.length > outer.length &&
    outer.every((word, index) => word === words[index]);
  if (!repeats) return [];
  return [
    {
      location: locate(document, name),
      message: `\`${name.text}\` repeats the name of \`${owner.text}\``,
      help: "leave out what the type says already",
    },
  ];
}
