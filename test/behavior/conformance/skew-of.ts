import { createHash } from "node:crypto";
import type { EmitOptions } from "../../../generator/4-emit/emitter/emitter.js";
import type { Contract } from "../../../generator/ir/contract.js";
import { readHistory } from "../../../tools/breaking/compatibility/read-history.js";

/**
 * Returns the option for the setting `skew`.
 *
 * Input: the text of `ridl.history.json`, or null if there is none.
 */
export function skewOf(
  contract: Contract,
  text: string | null,
): Pick<EmitOptions, "skew"> {
  const file = { path: "ridl.history.json", text };
  const { value } = readHistory(file, { contract, whole: contract }, sha256);
  return value ?? {};
}

/** Returns the SHA-256 of a text as base64url. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
