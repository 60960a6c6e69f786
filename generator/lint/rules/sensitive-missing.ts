import { metadataValue } from "../../2-check/metadata.js";
import { locate } from "../../2-check/report.js";
import { wordsOf } from "../casing.js";
import type { LintRule } from "../rule.js";

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
  find: ({ nodes }) =>
    nodes.fields
      .filter(
        ({ syntax }) =>
          isSecret(syntax.name.text) &&
          metadataValue(syntax, "sensitive") === undefined,
      )
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `\`${name.text}\` looks like a secret, and is not \`sensitive\``,
        help: "add `+ sensitive = true`, or `+ sensitive = false` if it is none",
      })),
};

function isSecret(name: string): boolean {
  const words = wordsOf(name).join(" ");
  return secrets.some(
    (secret) => words === secret || words.endsWith(` ${secret}`),
  );
}
