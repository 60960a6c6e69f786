import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Program } from "../program/program.js";
import { findAnnotation, listCredentials } from "../notation/annotations.js";
import { findCredentials } from "../program/credentials.js";
import { metadataValue } from "../notation/metadata.js";
import { locate, reportError, reportWarning } from "../report/report.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { Rule } from "./rule.js";

/**
 * `@auth` names declared credentials. Where none is declared it is for other
 * tools, and opens its method to all; saying so once is enough.
 */
export const unknownCredential: Rule = (program) => {
  const headers = findCredentials(program).map(
    ({ syntax }) => metadataValue(syntax, "header") ?? "",
  );
  if (headers.length === 0) return reportUnchecked(program);
  const known = new Set(headers.map((header) => header.toLowerCase()));
  return program.nodes.methods.flatMap(({ syntax, document }) => {
    const auth = findAnnotation(syntax, "auth");
    if (auth === undefined) return [];
    const place = locate(document, auth.value ?? auth);
    const names = listCredentials(auth);
    if (names.length === 0) {
      return reportError(
        "unknown-credential",
        place,
        "`@auth` names no credential",
        { help: `write it like \`@auth:"${headers[0] ?? ""}"\`` },
      );
    }
    return names
      .filter((name) => !known.has(name.toLowerCase()))
      .map((name) =>
        reportError(
          "unknown-credential",
          place,
          `no credential has the header \`${name}\``,
          {
            notes: [
              `declared are ${headers.map((each) => `\`${each}\``).join(", ")}`,
            ],
            ...didYouMean(name, headers),
          },
        ),
      );
  });
};

function reportUnchecked({ nodes }: Program): readonly Diagnostic[] {
  const [first] = nodes.methods.flatMap(({ syntax, document }) => {
    const auth = findAnnotation(syntax, "auth");
    return auth === undefined ? [] : locate(document, auth);
  });
  if (first === undefined) return [];
  return [
    reportWarning(
      "unknown-credential",
      first,
      "`@auth` checks nothing: the contract declares no credential",
      {
        help: "declare one: `type ApiKey: string` with `+ header = X-Api-Key` and `+ error = …`",
      },
    ),
  ];
}
