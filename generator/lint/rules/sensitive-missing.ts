import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { metadataValue } from "../../2-check/notation/metadata.js";
import type { Program } from "../../2-check/program/program.js";
import { lookUpLoosely } from "../../2-check/program/reach.js";
import { locate } from "../../2-check/report/report.js";
import { wordsOf } from "../facts/casing.js";
import type { LintRule } from "./rule.js";

const secrets = [
  ..."password passphrase passcode secret mnemonic cvv pin otp".split(" "),
  "api key",
  "access token",
  "refresh token",
  "private key",
  "seed phrase",
];

/** What is secret should not turn up in failures and logs. */
export const sensitiveMissing: LintRule = {
  code: "sensitive-missing",
  category: "guesses",
  find: (program) =>
    program.nodes.fields
      .filter(
        ({ syntax, document }) =>
          isSecret(syntax.name.text) &&
          metadataValue(syntax, "sensitive") === undefined &&
          !isSensitive(program, document, syntax.type),
      )
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `\`${name.text}\` looks like a secret, and is not \`sensitive\``,
        help: "add `+ sensitive = true`, or `+ sensitive = false` if it is none",
      })),
};

/** Whether a type says for all fields of it whether they are. */
function isSensitive(
  program: Program,
  document: LoadedDocument,
  type: TypeExpression,
): boolean {
  switch (type.kind) {
    case "list":
      return isSensitive(program, document, type.element);
    case "map":
      return [type.key, type.value].some((part) =>
        isSensitive(program, document, part),
      );
    case "name": {
      const scope = program.scopes.get(document.path);
      const alias = scope && lookUpLoosely(scope, type.name.text);
      if (alias?.syntax.kind !== "alias") return false;
      const { syntax } = alias;
      if (metadataValue(syntax, "sensitive") !== undefined) return true;
      return isSensitive(program, alias.document, syntax.type);
    }
  }
}

function isSecret(name: string): boolean {
  const words = wordsOf(name).join(" ");
  return secrets.some(
    (secret) => words === secret || words.endsWith(` ${secret}`),
  );
}
