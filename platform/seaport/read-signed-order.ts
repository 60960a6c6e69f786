import { type Address, getAddress, type Hex, isAddress, isHex } from "viem";

import type { OfferItem, OrderParameters } from "./order.js";

/** An order with its maker's signature. */
export interface SignedOrder {
  readonly parameters: OrderParameters;
  readonly signature: Hex;
  /** The signed counter, or null for the maker's current one. */
  readonly counter: bigint | null;
}

/** Thrown if a string is not a signed order. The message gives the reason. */
export class OrderFormatError extends Error {
  override readonly name = "OrderFormatError";
}

/** Reads the value at a path in the order. */
type Read<Value> = (value: unknown, path: string) => Value;

function fail(path: string, expected: string): never {
  throw new OrderFormatError(`${path}: expected ${expected}`);
}

/**
 * Reads an order in the format of seaport-js: JSON with `parameters` and
 * `signature`. Numbers may be strings of decimal digits, or of hex
 * digits after `0x`.
 *
 * Errors: OrderFormatError.
 */
export function readSignedOrder(text: string): SignedOrder {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail("the line", "JSON");
  }
  const parameters = readMember(value, "parameters", (each) => each);
  const read = <Value>(key: string, readValue: Read<Value>): Value =>
    readMember(parameters, key, readValue, "parameters.");
  const counter = read("counter", (each) => each);
  return {
    signature: readMember(value, "signature", readHex),
    counter:
      counter === undefined ? null : readUint(counter, "parameters.counter"),
    parameters: {
      offerer: read("offerer", readAddress),
      zone: read("zone", readAddress),
      offer: read("offer", listOf(readItem)),
      consideration: read(
        "consideration",
        listOf((item, path) => ({
          ...readItem(item, path),
          recipient: readMember(item, "recipient", readAddress, `${path}.`),
        })),
      ),
      orderType: Number(read("orderType", readUint)),
      startTime: read("startTime", readUint),
      endTime: read("endTime", readUint),
      zoneHash: read("zoneHash", readHash),
      salt: read("salt", readUint),
      conduitKey: read("conduitKey", readHash),
      totalOriginalConsiderationItems: read(
        "totalOriginalConsiderationItems",
        readUint,
      ),
    },
  };
}

function readItem(item: unknown, path: string): OfferItem {
  const read = <Value>(key: string, readValue: Read<Value>): Value =>
    readMember(item, key, readValue, `${path}.`);
  return {
    itemType: Number(read("itemType", readUint)),
    token: read("token", readAddress),
    identifierOrCriteria: read("identifierOrCriteria", readUint),
    startAmount: read("startAmount", readUint),
    endAmount: read("endAmount", readUint),
  };
}

function readMember<Value>(
  value: unknown,
  key: string,
  read: Read<Value>,
  prefix = "",
): Value {
  if (typeof value !== "object" || value === null) {
    return fail(prefix === "" ? "the line" : prefix.slice(0, -1), "an object");
  }
  return read(Reflect.get(value, key), `${prefix}${key}`);
}

function listOf<Value>(read: Read<Value>): Read<readonly Value[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((item, index) => read(item, `${path}[${index}]`))
      : fail(path, "a list");
}

function readAddress(value: unknown, path: string): Address {
  return typeof value === "string" && isAddress(value, { strict: false })
    ? getAddress(value)
    : fail(path, "an address");
}

function readHex(value: unknown, path: string): Hex {
  return isHex(value) && value.length % 2 === 0
    ? value
    : fail(path, "bytes in hex");
}

function readHash(value: unknown, path: string): Hex {
  const hash = readHex(value, path);
  return hash.length === 66 ? hash : fail(path, "32 bytes in hex");
}

/** Reads an integer, decimal digits, or hex, which is used for salts. */
function readUint(value: unknown, path: string): bigint {
  const isText =
    typeof value === "string" && /^(?:[0-9]+|0x[0-9a-f]+)$/iu.test(value);
  if (!isText && !Number.isSafeInteger(value)) return fail(path, "a number");
  const number = BigInt(isText ? value : Number(value));
  return number >= 0n && number < 2n ** 256n
    ? number
    : fail(path, "a number below 2^256");
}
