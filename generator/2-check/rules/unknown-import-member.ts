import { locate, reportWarning } from "../report/report.js";
import { changingContract, createSuggester } from "../report/did-you-mean.js";
import type { Rule } from "./rule.js";

/**
 * A member import names what the imported document declares. webrpc ignores
 * other names, so this is no error; where one is used, that is.
 */
export const unknownImportMember: Rule = ({ documents, scopes }) => {
  const suggest = createSuggester();
  return documents.flatMap((document) =>
    document.imports.flatMap(({ syntax, path }) => {
      const scope = scopes.get(path);
      if (scope === undefined || !scope.isComplete) return [];
      const names = new Set(
        [...scope.types, ...scope.errors, ...scope.services].map(
          (each) => each.syntax.name.text,
        ),
      );
      return syntax.members
        .filter((member) => !names.has(member.text))
        .map((member) => {
          const place = locate(document, member);
          return reportWarning(
            "unknown-import-member",
            place,
            `\`${path}\` declares no \`${member.text}\``,
            changingContract(suggest(member.text, names, place)),
          );
        });
    }),
  );
};
