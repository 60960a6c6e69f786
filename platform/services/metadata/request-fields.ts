import { maxUint256 } from "viem";

import { isAddress } from "../../../generated/validators.js";
import { InvalidArgumentError } from "../../../generated/errors.js";

/**
 * Returns token IDs in stored form: decimal digits without leading zeros.
 *
 * Errors: `InvalidArgument` for an ID of more than 256 bits.
 */
export function toTokenIds(
  field: string,
  tokenIds: readonly string[],
): readonly string[] {
  return tokenIds.map((text, index) => {
    const id = BigInt(text);
    if (id <= maxUint256) return id.toString();
    throw refusal(`${field}[${index}]`, "a number of at most 256 bits", text);
  });
}

/**
 * Converts a field name that is an address to lowercase.
 *
 * Errors: `InvalidArgument` if it is not an address.
 */
export function toContract(field: string, text: string): string {
  if (isAddress(text)) return text.toLowerCase();
  throw refusal(
    `${field}.${text}`,
    "a field with an address as its name",
    text,
  );
}

function refusal(
  field: string,
  expected: string,
  got: string,
): InvalidArgumentError {
  const cause = `${field}: expected ${expected}, got ${JSON.stringify(got)}`;
  return new InvalidArgumentError({ cause });
}
