import { type Hex, maxUint256 } from "viem";

import { InvalidArgumentError } from "../../generated/errors.js";
import { isAddress } from "../../generated/validators.js";
import type { Network, Networks } from "../network/networks.js";

/** Creates the error for a request field with an invalid value. */
export function refuseField(
  field: string,
  expected: string,
  got: string | number,
): InvalidArgumentError {
  const cause = `${field}: expected ${expected}, got ${JSON.stringify(got)}`;
  return new InvalidArgumentError({ cause });
}

/**
 * Returns the network that a request field names.
 *
 * Errors: `InvalidArgument` if it is unknown.
 */
export function requireNetwork(
  networks: Networks,
  field: string,
  name: string | number,
): Network {
  const network = networks.find(String(name));
  if (network !== null) return network;
  throw refuseField(field, "a supported network", name);
}

/**
 * Returns the bytes of a request field. The caller must already have checked
 * that its characters are hex digits.
 *
 * Errors: `InvalidArgument` if the last byte has only one digit.
 */
export function requireBytes(field: string, value: string): Hex {
  const digits = value.slice(2);
  if (digits.length % 2 === 0) return `0x${digits}`;
  const cause = `${field}: expected hex data (two digits for each byte)`;
  throw new InvalidArgumentError({ cause });
}

/**
 * Converts a request field to a uint256.
 *
 * Input: decimal digits.
 * Errors: `InvalidArgument` for more than 256 bits.
 */
export function toUint256(field: string, digits: string): bigint {
  const value = BigInt(digits);
  if (value <= maxUint256) return value;
  throw refuseField(field, "a number of at most 256 bits", digits);
}

/**
 * Returns token IDs in stored form: decimal digits without leading zeros.
 *
 * Errors: `InvalidArgument` for an ID of more than 256 bits.
 */
export function toTokenIds(
  field: string,
  tokenIds: readonly string[],
): readonly string[] {
  return tokenIds.map((text, index) =>
    toUint256(`${field}[${index}]`, text).toString(),
  );
}

/**
 * Converts a field name that is an address to lowercase.
 *
 * Errors: `InvalidArgument` if it is not an address.
 */
export function toContract(field: string, text: string): string {
  if (isAddress(text)) return text.toLowerCase();
  const expected = "a field with an address as its name";
  throw refuseField(`${field}.${text}`, expected, text);
}
