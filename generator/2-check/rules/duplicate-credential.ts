import { findCredentials } from "../credentials.js";
import { findDuplicates } from "../duplicates.js";
import { findMetadata } from "../metadata.js";
import { locate, relate, reportError } from "../report.js";
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
