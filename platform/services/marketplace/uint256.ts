import { maxUint256 } from "viem";

import { InvalidArgumentError } from "../../../generated/errors.js";

/**
 * Converts a request field to a uint256.
 *
 * Input: decimal digits.
 * Errors: `InvalidArgument` for more than 256 bits.
 */
export function toUint256(field: string, digits: string): bigint {
  const value = BigInt(digits);
  if (value <= maxUint256) return value;
  const cause = `${field}: expected at most 256 bits, got "${digits}"`;
  throw new InvalidArgumentError({ cause });
}
