import type { ErrorDeclaration } from "../ir/contract.js";
import type { Comparison } from "./comparison.js";

/** Whether an error that is gone has left its code to a new one. */
export function isCodeTaken(
  { code }: ErrorDeclaration,
  { errors }: Comparison,
): boolean {
  return errors.added.some((added) => added.code === code);
}
