import { findCredentials } from "../program/credentials.js";
import { findDuplicates } from "../report/duplicates.js";
import { findMetadata } from "../notation/metadata.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** A header carries one credential. */
export const duplicateCredential: Rule = (program) => {
  const credentials = findCredentials(program).flatMap((declared) => {
    const header = findMetadata(declared.syntax, "header");
    return header ? { ...declared, value: header.value } : [];
  });
  return findDuplicates(credentials, ({ value }) =>
    value.text.toLowerCase(),
  ).map(({ first, again }) =>
    reportError(
      "duplicate-credential",
      locate(again.document, again.value),
      `credentials \`${first.syntax.name.text}\` and \`${again.syntax.name.text}\` use the same header`,
      { related: [relate(first.document, first.value, "first used here")] },
    ),
  );
};
