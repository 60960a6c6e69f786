import { checkContract } from "./2-check/index.js";
import type { Host } from "./2-check/host.js";
import { lowerContract } from "./3-lower/index.js";
import type { Outcome } from "./diagnostics/diagnostic.js";
import type { Contract } from "./ir/contract.js";
import type { LintOptions } from "./lint/index.js";
import { lintContract } from "./lint/index.js";

/**
 * From documents to the model that emitters read: parse, check, lower; and
 * lint, if told how.
 *
 * Input: paths of the entry documents, one for each service host, e.g.
 * `["schema/api.ridl"]`, and where documents come from.
 * Output: the contract; null when a diagnostic is an error.
 */
export function compileContract(
  entries: readonly string[],
  host: Host,
  lint: LintOptions | null = null,
): Outcome<Contract | null> {
  const checked = checkContract(entries, host);
  const diagnostics = lint ? lintContract(checked, lint) : checked.diagnostics;
  const isFaulty = diagnostics.some(({ severity }) => severity === "error");
  return { value: isFaulty ? null : lowerContract(checked.value), diagnostics };
}
