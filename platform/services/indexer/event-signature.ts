import {
  type AbiParameter,
  type Hex,
  keccak256,
  parseAbiItem,
  stringToHex,
  toEventSelector,
  toEventSignature,
} from "viem";

/** An event as described by a listener. */
export interface EventSignature {
  /** The name and types only, e.g. `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** The hash of the signature, which is the first topic of each such event. */
  readonly topicHash: Hex;
  readonly inputs: readonly EventInput[];
  /**
   * Whether each argument is indexed, or null if the signature does not say so
   * for any argument. In that case, any of them can be indexed.
   */
  readonly indexed: readonly boolean[] | null;
  /**
   * Identifies how a log is decoded. Two events with the same layout decode a
   * log to the same values, even if their arguments have different names.
   */
  readonly layout: string;
  /** The number of values in the arguments, including members of tuples. */
  readonly size: number;
  /**
   * Whether an array of the signature has elements of varying length. A log can
   * then refer to the same data many times.
   */
  readonly isNested: boolean;
}

/** An argument of an event. */
export interface EventInput {
  /** The name, or `arg1` and so on if it has none. */
  readonly name: string;
  /** The type in the signature, e.g. `uint256[]` or `(address,uint256)`. */
  readonly type: string;
  /** The type without any names, so tuples are decoded to lists. */
  readonly parameter: AbiParameter;
  /** Whether its name and type identify token IDs. */
  readonly isTokenId: boolean;
}

/**
 * The maximum number of indexed arguments. A log has at most four topics, and
 * the first one is the event's hash.
 */
const maxIndexed = 3;

/**
 * Thrown if a string is not an event signature. The message gives the reason.
 */
export class EventSignatureError extends Error {
  override readonly name = "EventSignatureError";
}

/**
 * Parses an event signature, with or without argument names, e.g.
 * `Transfer(address indexed from, address indexed to, uint256 value)`.
 *
 * Errors: EventSignatureError.
 */
export function parseEventSignature(text: string): EventSignature {
  const event = parseEvent(text);
  const indexed = event.inputs.map((input) => input.indexed === true);
  const count = indexed.filter(Boolean).length;
  if (count > maxIndexed) {
    throw new EventSignatureError(
      `expected at most ${maxIndexed} indexed arguments, got ${count}`,
    );
  }
  const signature = toEventSignature(event);
  const inputs = event.inputs.map((parameter, index) => ({
    name: parameter.name || `arg${index + 1}`,
    type: typeOf(parameter),
    parameter: toNameless(parameter),
    isTokenId: isNamedTokenId(parameter),
  }));
  const flags = indexed.map((isIndexed) => (isIndexed ? "i" : "d")).join("");
  return {
    ...{ signature, inputs },
    layout: `${signature} ${count === 0 ? "any" : flags}`,
    size: event.inputs.reduce((sum, input) => sum + sizeOf(input), 0),
    isNested: event.inputs.some((input) => hasNestedArray(input)),
    topicHash: toEventSelector(event),
    indexed: count === 0 ? null : indexed,
  };
}

/**
 * Removes all names and replaces `string` with `bytes`, because strings can be
 * invalid UTF-8.
 */
function toNameless(parameter: AbiParameter): AbiParameter {
  const type = parameter.type.replace(/^string/u, "bytes");
  if (!("components" in parameter)) return { type };
  return { type, components: parameter.components.map(toNameless) };
}

function sizeOf(parameter: AbiParameter): number {
  if (!("components" in parameter)) return 1;
  return parameter.components.reduce((sum, part) => sum + sizeOf(part), 1);
}

/** Returns whether the length of a parameter's encoding varies. */
function isDynamic(parameter: AbiParameter): boolean {
  if (/^(?:string|bytes)(?:\[|$)|\[\]/u.test(parameter.type)) return true;
  return "components" in parameter && parameter.components.some(isDynamic);
}

function hasNestedArray(parameter: AbiParameter): boolean {
  const parts = "components" in parameter ? parameter.components : [];
  const element = parameter.type.replace(/\[[0-9]*\]$/u, "");
  const isArray = element !== parameter.type;
  if (isArray && isDynamic({ ...parameter, type: element })) return true;
  return parts.some(hasNestedArray);
}

/**
 * Returns whether an argument's name and type identify a token ID, for events
 * that do not belong to a token standard.
 */
function isNamedTokenId({ name = "", type }: AbiParameter): boolean {
  const isNamed = /^_?(?:token_?)?ids?_?$/iu.test(name);
  return isNamed && /^uint[0-9]*(?:\[[0-9]*\])?$/u.test(type);
}

/**
 * Returns the hash of a valid event signature. This is much faster than parsing
 * the signature.
 */
export function hashEventSignature(text: string): Hex {
  const types = text.replaceAll(
    /([(),])([^(),]*)/gu,
    (_, separator: string, rest: string) => {
      const [word = ""] = rest.trim().split(/\s/u);
      // After a tuple, only the brackets of an array belong to the type.
      const type =
        separator === ")"
          ? word.replace(/^((?:\[[0-9]*\])*).*$/u, "$1")
          : word.replace(/^(u?int)(?=\[|$)/u, "$1256");
      return `${separator}${type}`;
    },
  );
  return keccak256(stringToHex(types.replaceAll(/\s/gu, "")));
}

function parseEvent(text: string) {
  // viem accepts empty arguments and arrays of length 0, so reject them here.
  const hasGap = /[(,]\s*,|,\s*[)]|\[0+\]/u.test(text);
  try {
    const item = parseAbiItem(`event ${text.replaceAll(/\s+/gu, " ")}`);
    if (!hasGap && item.type === "event") return item;
  } catch {
    // viem's message is long and would not help the author of the signature.
  }
  throw new EventSignatureError(
    "expected the signature of an event, with Solidity's types",
  );
}

/** Returns the type, e.g. `(address,uint256)[]` for an array of tuples. */
function typeOf(parameter: AbiParameter): string {
  if (!("components" in parameter)) return parameter.type;
  const types = parameter.components.map(typeOf).join(",");
  return `(${types})${parameter.type.slice("tuple".length)}`;
}
