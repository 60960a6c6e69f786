import { checkContract } from "./2-check/index.js";
import type { Host } from "./2-check/host.js";
import { lowerContract } from "./3-lower/index.js";
import type { Outcome } from "./diagnostics/diagnostic.js";
import type { Contract } from "./ir/contract.js";

/**
 * From documents to the model that emitters read: parse, check, lower.
 *
 * Input: paths of the entry documents, one for each service host, e.g.
 * `["schema/api.ridl"]`, and where documents come from.
 * Output: the contract; null when a diagnostic is an error.
 */
export function compileContract(
  entries: readonly string[],
  host: Host,
): Outcome<Contract | null> {
  const { value, diagnostics } = checkContract(entries, host);
  const isFaulty = diagnostics.some(({ severity }) => severity === "error");
  return { value: isFaulty ? null : lowerContract(value), diagnostics };
}
