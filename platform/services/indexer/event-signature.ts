import {
  type AbiParameter,
  type Hex,
  parseAbiItem,
  toEventSelector,
  toEventSignature,
} from "viem";

/** An event as a listener describes it. */
export interface EventSignature {
  /** Name and types alone, e.g. `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** Hash of that, and first topic of each such event. */
  readonly topicHash: Hex;
  readonly inputs: readonly EventInput[];
  /**
   * Which arguments are indexed; null: the signature says of none, and there may
   * be any.
   */
  readonly indexed: readonly boolean[] | null;
}

/** An argument of an event. */
export interface EventInput {
  /** `arg1` and so on where there is none. */
  readonly name: string;
  /** As in the signature, e.g. `uint256[]` or `(address,uint256)`. */
  readonly type: string;
  readonly parameter: AbiParameter;
}

/** A topic of a log is its event, and only three more are left. */
const maxIndexed = 3;

/** The text is no event; the message says why. */
export class EventSignatureError extends Error {
  override readonly name = "EventSignatureError";
}

/**
 * Reads the signature of an event, with or without names, e.g.
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
  const types = event.inputs.map(typeOf);
  return {
    signature: toEventSignature(event),
    topicHash: toEventSelector(event),
    inputs: event.inputs.map((parameter, index) => ({
      name: parameter.name || `arg${index + 1}`,
      type: types[index] ?? parameter.type,
      parameter,
    })),
    indexed: count === 0 ? null : indexed,
  };
}

function parseEvent(text: string) {
  // viem lets them pass.
  const hasGap = /[(,]\s*,|,\s*[)]|\[0+\]/u.test(text);
  try {
    const item = parseAbiItem(`event ${text.replaceAll(/\s+/gu, " ")}`);
    if (!hasGap && item.type === "event") return item;
  } catch {
    // It says much, of what nobody here has written.
  }
  throw new EventSignatureError(
    "expected the signature of an event, with Solidity's types",
  );
}

/** `(address,uint256)[]` for an array of tuples. */
function typeOf(parameter: AbiParameter): string {
  if (!("components" in parameter)) return parameter.type;
  const types = parameter.components.map(typeOf).join(",");
  return `(${types})${parameter.type.slice("tuple".length)}`;
}
