import { JsonFault, maxJsonDepth } from "./json-reader.js";
import { writeJson } from "./json-writer.js";
import { readExactJson } from "./read-json.js";

/** The error for invalid JSON. The message never quotes the text. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = "JsonSyntaxError";
  /** 0-based offset in UTF-16 code units. */
  readonly position: number;

  constructor({ message, position }: JsonFault) {
    super(message);
    this.position = position;
  }
}

/**
 * Reads JSON without rounding integers.
 *
 * Returns the same as `JSON.parse`, but integers beyond ±(2^53-1) are `bigint`.
 * For example, `{"id":18446744073709551615}` becomes `{ id:
 * 18446744073709551615n }`.
 * Errors: JsonSyntaxError if the text is not JSON or is nested more than
 * `maxDepth` levels deep.
 */
export function parseJson(
  text: string,
  maxDepth: number = maxJsonDepth,
): unknown {
  const value = readExactJson(text, maxDepth);
  if (value instanceof JsonFault) throw new JsonSyntaxError(value);
  return value;
}

/**
 * Writes JSON with every `bigint` as a number.
 *
 * Input: any argument of `JSON.stringify`. Returns the text `null` if there is
 * nothing to print.
 * Errors: TypeError if the value contains itself or is nested too deeply. Any
 * error from `toJSON`.
 */
export function stringifyJson(value: unknown): string {
  // Some programs define `toJSON` on `bigint`, because `JSON.stringify` rejects
  // it otherwise.
  if ("toJSON" in BigInt.prototype) return writeJson(value);
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    // `JSON.stringify` also rejects a `bigint`. `writeJson` rejects anything
    // else again.
    return writeJson(value);
  }
}
