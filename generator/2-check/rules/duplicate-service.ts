import { findDuplicates } from "../report/duplicates.js";
import type { DeclaredService } from "../program/program.js";
import { locate, relate, reportError } from "../report/report.js";
import { foldName } from "../program/scope.js";
import type { Rule } from "./rule.js";

/**
 * Services differ in more than case: in each document with what it imports,
 * and in all hosts together, where they are members of one client.
 */
export const duplicateService: Rule = ({ scopes, hosts }) => {
  const blamed = new Set<DeclaredService>();
  const everywhere = { services: hosts.flatMap((host) => host.services) };
  return [...scopes.values(), everywhere].flatMap(({ services }) =>
    findDuplicates(services, ({ syntax }) =>
      foldName(syntax.name.text),
    ).flatMap(({ first, again }) => {
      if (blamed.has(first) || blamed.has(again)) return [];
      blamed.add(again);
      const { name } = again.syntax;
      return reportError(
        "duplicate-service",
        locate(again.document, name),
        first === again
          ? `service \`${name.text}\` is imported by more than one host`
          : `service \`${name.text}\` is declared twice`,
        first === again
          ? { help: "leave the document that declares it out of one of them" }
          : {
              related: [
                relate(
                  first.document,
                  first.syntax.name,
                  "first declared here",
                ),
              ],
              help: "rename one of them",
            },
      );
    }),
  );
};
