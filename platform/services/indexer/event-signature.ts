import {
  type AbiParameter,
  type Hex,
  parseAbiItem,
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
  /** Events with the same shape decode a log to the same values. */
  readonly shape: string;
}

/** An argument of an event. */
export interface EventInput {
  /** The name, or `arg1` and so on if it has none. */
  readonly name: string;
  /** The type in the signature, e.g. `uint256[]` or `(address,uint256)`. */
  readonly type: string;
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
    parameter,
    isTokenId: isNamedTokenId(parameter),
  }));
  const parts = inputs.map(({ isTokenId, parameter }, index) => [
    ...[indexed[index], isTokenId],
    // viem identifies the members of a tuple by name.
    "components" in parameter ? parameter.components : null,
  ]);
  return {
    ...{ signature, inputs, shape: JSON.stringify([signature, parts]) },
    topicHash: toEventSelector(event),
    indexed: count === 0 ? null : indexed,
  };
}

/**
 * Returns whether an argument's name and type identify a token ID, for events
 * that do not belong to a token standard.
 */
function isNamedTokenId({ name = "", type }: AbiParameter): boolean {
  const isNamed = /^_?(?:token_?)?ids?_?$/iu.test(name);
  return isNamed && /^uint[0-9]*(?:\[[0-9]*\])?$/u.test(type);
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
