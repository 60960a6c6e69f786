import type { CheckedContract } from "../../generator/2-check/index.js";
import type { Contract } from "../../generator/ir/contract.js";
import { printSchemaRidl } from "../../tools/schema-json/index.js";

/**
 * Prints the RIDL of each host, by the path of its document, without private
 * comments and without the parts that the filter excludes.
 */
export function printSchemas(
  contract: Contract,
  checked: CheckedContract,
): ReadonlyMap<string, string> {
  const kept = new Set(contract.hosts.map(({ document }) => document));
  return new Map(
    checked.hosts
      .filter(({ document }) => kept.has(document.path))
      .map((host) => [
        host.document.path,
        printSchemaRidl(checked, host, contract),
      ]),
  );
}
