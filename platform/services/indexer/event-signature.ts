import { LRUCache } from "lru-cache";
import {
  type AbiEvent,
  type AbiParameter,
  type Hex,
  keccak256,
  parseAbiItem,
  stringToHex,
  toEventSelector,
  toEventSignature,
} from "viem";

/** What all events with the same topic hash have in common. */
export interface EventTypes {
  /** The name and types only, e.g. `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** The hash of the signature, which is the first topic of each such event. */
  readonly topicHash: Hex;
  readonly types: readonly ArgumentType[];
  /** The number of values in the arguments, including members of tuples. */
  readonly size: number;
  /**
   * The number of types `bytes` and `string`. A log can refer to the same data
   * with each of them.
   */
  readonly texts: number;
  /**
   * Whether an array of the signature has elements of varying length. A log can
   * then refer to the same data many times.
   */
  readonly isNested: boolean;
  /**
   * How many steps it takes to decode a value within arrays and tuples. With each
   * dimension of an array, its type gets longer, so that each step takes longer.
   */
  readonly steps: number;
}

/** The type of an argument. */
interface ArgumentType {
  /** The type in the signature, e.g. `uint256[]` or `(address,uint256)`. */
  readonly type: string;
  /** The type without any names, so tuples are decoded to lists. */
  readonly parameter: AbiParameter;
}

/** An event as described by a listener. */
export interface EventSignature extends EventTypes {
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
}

/** An argument of an event. */
export interface EventInput extends ArgumentType {
  /** The name, or `arg1` and so on if it has none. */
  readonly name: string;
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
  return describe(
    toTypes(event),
    event.inputs.map(({ name = "" }, index) => ({
      name,
      isIndexed: indexed[index] === true,
    })),
  );
}

function toTypes(event: AbiEvent): EventTypes {
  const { inputs } = event;
  return {
    signature: toEventSignature(event),
    topicHash: toEventSelector(event),
    types: inputs.map((input) => ({
      type: typeOf(input),
      parameter: toNameless(input),
    })),
    size: inputs.reduce((sum, input) => sum + sizeOf(input), 0),
    texts: inputs.reduce((sum, input) => sum + countTexts(input), 0),
    isNested: inputs.some((input) => hasNestedArray(input)),
    steps: stepsOf(inputs),
  };
}

/** What distinguishes arguments of the same type. */
interface ArgumentFacts {
  readonly name: string;
  readonly isIndexed: boolean;
}

function describe(
  types: EventTypes,
  facts: readonly ArgumentFacts[],
): EventSignature {
  const flags = facts.map(({ isIndexed }) => isIndexed);
  const isKnown = flags.includes(true);
  const layout = flags.map((isIndexed) => (isIndexed ? "i" : "d")).join("");
  return {
    ...types,
    inputs: types.types.map(({ parameter, type }, index) => {
      const name = facts[index]?.name || `arg${index + 1}`;
      const isTokenId = isNamedTokenId(name, type);
      return { name, type, parameter, isTokenId };
    }),
    layout: `${types.signature} ${isKnown ? layout : "any"}`,
    indexed: isKnown ? flags : null,
  };
}

/**
 * Reads the names and flags of a valid event signature. This is much faster than
 * parsing the signature.
 */
function readArguments(text: string): readonly ArgumentFacts[] {
  const list = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  if (list.trim() === "") return [];
  let depth = 0;
  let flat = "";
  for (const [token] of list.matchAll(/[()]|[^()]+/gu)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (depth === 0) flat += token;
    // A word stands for a tuple.
    if (token === "(" && depth === 1) flat += "tuple";
  }
  return flat.split(",").map((argument) => {
    const [, ...words] = argument.trim().split(/\s+/u);
    const isIndexed = words[0] === "indexed";
    return { name: words[isIndexed ? 1 : 0] ?? "", isIndexed };
  });
}

/** Returns a text that differs if arguments of an event are indexed differently. */
export function indexedOf(text: string): string {
  const facts = readArguments(text);
  return facts.map(({ isIndexed }) => (isIndexed ? "i" : "d")).join("");
}

/** Reads valid event signatures. */
export interface EventParser {
  readonly hash: (text: string) => Hex;
  readonly parse: (topicHash: string, text: string) => EventSignature;
}

/** The number of signatures that are kept, because many listeners share them. */
const maxSignatures = 10_000;

/**
 * Creates a parser of event signatures. It hashes and parses types once, because
 * that takes long, and then only reads the names of arguments.
 */
export function createEventParser(): EventParser {
  const hashes = new LRUCache<string, Hex>({ max: maxSignatures });
  const types = new LRUCache<string, EventTypes>({ max: maxSignatures });
  const signatures = new LRUCache<string, EventSignature>({
    max: maxSignatures,
  });
  return {
    hash: (text) => {
      const canonical = toCanonical(text);
      const hash = hashes.get(canonical) ?? keccak256(stringToHex(canonical));
      hashes.set(canonical, hash);
      return hash;
    },
    parse: (topicHash, text) => {
      const known = signatures.get(text);
      if (known !== undefined) return known;
      const shared = types.get(topicHash) ?? parseEventSignature(text);
      types.set(topicHash, shared);
      const event = describe(shared, readArguments(text));
      signatures.set(text, event);
      return event;
    },
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

function countTexts(parameter: AbiParameter): number {
  return "components" in parameter
    ? parameter.components.reduce((sum, part) => sum + countTexts(part), 0)
    : Number(/^(?:string|bytes)(?:\[|$)/u.test(parameter.type));
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

function stepsOf(parameters: readonly AbiParameter[]): number {
  return parameters.reduce((most, parameter) => {
    const dimensions = parameter.type.split("[").length - 1;
    const own = dimensions ** 2;
    const steps =
      "components" in parameter
        ? Math.max(own, 1) + stepsOf(parameter.components)
        : own;
    return Math.max(most, steps);
  }, 0);
}

/**
 * Returns whether an argument's name and type identify a token ID, for events
 * that do not belong to a token standard.
 */
function isNamedTokenId(name: string, type: string): boolean {
  const isNamed = /^_?(?:token_?)?ids?_?$/iu.test(name);
  return isNamed && /^uint[0-9]*(?:\[[0-9]*\])?$/u.test(type);
}

/**
 * Returns the name and the types of a valid event signature. This is much faster
 * than parsing the signature.
 */
function toCanonical(text: string): string {
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
  return types.replaceAll(/\s/gu, "");
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
