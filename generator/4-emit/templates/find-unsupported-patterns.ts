import type { Constraints, Contract, Field } from "../../ir/contract.js";
import { allMethods } from "../../ir/methods-of.js";
import { toRe2 } from "../../pattern/to-re2.js";
import type { TargetFault } from "../emitter/target.js";

/**
 * Finds patterns that engines such as RE2 cannot check.
 *
 * Input: a contract, the name of the language for messages, and where its users
 * can check the values themselves.
 */
export function findUnsupportedPatterns(
  contract: Contract,
  language: string,
  help: string,
): readonly TargetFault[] {
  const places = new Map<string, string[]>();
  const visit = (place: string, { pattern }: Constraints): void => {
    if (pattern === undefined || toRe2(pattern) !== null) return;
    places.set(pattern, [...(places.get(pattern) ?? []), place]);
  };
  const visitFields = (owner: string, fields: readonly Field[]): void => {
    for (const { constraints, name } of fields) {
      visit(`\`${owner}.${name}\``, constraints);
    }
  };
  for (const type of contract.types) {
    switch (type.kind) {
      case "alias":
        visit(`\`${type.name}\``, type.constraints);
        break;
      case "struct":
        visitFields(type.name, type.fields);
        break;
      case "enum":
      case "union":
        break;
    }
  }
  for (const { name, request, response } of allMethods(contract.hosts)) {
    if (request.struct === null) visitFields(name, request.fields);
    if (response.struct === null) visitFields(name, response.fields);
  }
  return Array.from(places, ([pattern, names]) => ({
    code: "unsupported-pattern",
    severity: "warning",
    key: null,
    message: `${language} cannot check the pattern \`${pattern}\``,
    notes: [`it is the pattern of ${names.join(", ")}`],
    help,
  }));
}
