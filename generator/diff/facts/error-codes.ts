import type { ErrorDeclaration } from "../../ir/contract.js";
import type { PairedContracts } from "./paired-contracts.js";

/** Whether an error that is gone has left its code to a new one. */
export function isCodeTaken(
  { code }: ErrorDeclaration,
  { errors }: PairedContracts,
): boolean {
  return errors.added.some((added) => added.code === code);
}
