import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  isHex,
} from "viem";

import type { EventInput, EventSignature } from "./event-signature.js";
import { findTokenEvent } from "./token-events.js";

/** A decoded log. */
export interface DecodedEvent {
  readonly event: EventSignature;
  /**
   * The value of each argument in hex. Addresses, strings, and bytes are not
   * encoded further, and all other types are ABI-encoded. For an indexed
   * string, `bytes`, array, or tuple, the topic contains only a hash, which is
   * used instead.
   */
  readonly values: readonly Hex[];
  /** All addresses in the values, in lowercase. */
  readonly addresses: ReadonlySet<string>;
  readonly tokenIds: ReadonlySet<bigint>;
}

/** A log to decode. */
export interface EventLog {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/**
 * Decodes a log as an event, without the names of the arguments. If the signature
 * does not say which arguments are indexed, tries combinations that match the
 * number of topics, up to a limit: first the one that token standards use, then the
 * leading arguments, then the rest. Yields the work of each attempt, in values,
 * before the attempt, and ends if the answer is false.
 *
 * Returns null if the log is not such an event.
 */
export function* decodeArguments(
  event: EventSignature,
  log: EventLog,
): Generator<number, readonly Argument[] | null, boolean> {
  if (log.topics[0] !== event.topicHash) return null;
  const count = log.topics.length - 1;
  const isGuess = event.indexed === null;
  const work = decodingWork(event, log);
  for (const indexed of layoutsOf(event, log)) {
    if (indexed.filter(Boolean).length !== count) continue;
    if (!(yield work)) return null;
    const found = readArguments(event.inputs, indexed, log, isGuess);
    if (found !== null) return found;
  }
  return null;
}

/** The size of a log in words of 32 bytes. */
export function wordsOf({ data, topics }: EventLog): number {
  return topics.length + wordsIn(data);
}

/** The size of a value in words of 32 bytes. */
export function wordsIn(hex: Hex): number {
  return Math.ceil((hex.length - 2) / 64);
}

/** The limit of viem on how many words of a log are read again. */
const maxReadAgain = 8192;

/** Returns the work of one attempt to decode a log, in values. */
function decodingWork(
  { isNested, size, steps, texts }: EventSignature,
  log: EventLog,
): number {
  const words = wordsOf(log);
  const readAgain = isNested ? Math.min(words ** 2, maxReadAgain) : 0;
  return size + words * Math.max(texts, steps, 1) + readAgain;
}

/**
 * The maximum number of combinations to try. Indexed arguments usually come
 * first.
 */
const maxGuesses = 64;

function* layoutsOf(
  { indexed, inputs }: EventSignature,
  { topics }: EventLog,
): Generator<readonly boolean[]> {
  if (indexed !== null) return yield indexed;
  const known = findTokenEvent(topics);
  if (known !== null) yield known.indexed;
  let guesses = 0;
  for (const layout of choices(inputs.length, topics.length - 1)) {
    if (guesses === maxGuesses) return;
    guesses += 1;
    yield layout;
  }
}

/**
 * Generates all ways to choose `count` of `length` items, starting with the
 * leading items.
 */
function* choices(
  length: number,
  count: number,
): Generator<readonly boolean[]> {
  if (count > length || count < 0) return;
  if (length === 0) return yield [];
  if (count > 0) {
    for (const rest of choices(length - 1, count - 1)) yield [true, ...rest];
  }
  for (const rest of choices(length - 1, count)) yield [false, ...rest];
}

/** An argument with its encoded and its decoded value. */
export interface Argument {
  readonly parameter: AbiParameter;
  readonly hex: Hex;
  /** Undefined if only the hash is known. */
  readonly value: unknown;
}

/**
 * Decodes arguments. Returns null if the log does not match. If the indexed
 * arguments were guessed, the log must match exactly.
 */
function readArguments(
  inputs: readonly EventInput[],
  indexed: readonly boolean[],
  { data, topics }: EventLog,
  isGuess: boolean,
): readonly Argument[] | null {
  const parameters = inputs.map(({ parameter }) => parameter);
  const inData = parameters.filter((_, index) => indexed[index] !== true);
  try {
    const decoded = decodeStrictly(inData, data, isGuess);
    const fromData = decoded.values();
    const fromTopics = topics.slice(1).values();
    return parameters.map((parameter, index) => {
      if (indexed[index] !== true) {
        return toArgument(parameter, fromData.next().value);
      }
      const topic = fromTopics.next().value ?? "0x";
      if (!isElementary(parameter)) {
        return { parameter, hex: topic, value: undefined };
      }
      const [value] = decodeStrictly([parameter], topic, isGuess);
      return toArgument(parameter, value);
    });
  } catch {
    // viem throws many different errors for a mismatch.
    return null;
  }
}

function decodeStrictly(
  parameters: readonly AbiParameter[],
  data: Hex,
  isGuess: boolean,
): readonly unknown[] {
  if (parameters.length === 0) {
    if (isGuess && data !== "0x") throw new Error("there is more");
    return [];
  }
  const values = decodeAbiParameters(parameters, data);
  if (isGuess && encodeAbiParameters(parameters, values) !== data) {
    throw new Error("it is something else");
  }
  return values;
}

/** Returns whether a topic contains the value itself instead of its hash. */
function isElementary({ type }: AbiParameter): boolean {
  return !/^bytes$|^tuple|\]$/u.test(type);
}

function toArgument(parameter: AbiParameter, value: unknown): Argument {
  return { parameter, value, hex: toHex(parameter, value) };
}

function toHex(parameter: AbiParameter, value: unknown): Hex {
  const isAsItIs = /^(?:address|bytes[0-9]*)$/u.test(parameter.type);
  if (isAsItIs && isHex(value)) return lowerCase(value);
  return encodeAbiParameters([parameter], [value]);
}

function lowerCase(hex: Hex): Hex {
  return `0x${hex.slice(2).toLowerCase()}`;
}

/** Adds the facts about a decoded log that filters use. */
export function gather(
  event: EventSignature,
  { topics }: EventLog,
  found: readonly Argument[],
): DecodedEvent {
  const known = findTokenEvent(topics);
  const addresses = found.flatMap(({ parameter, value }) =>
    addressesIn(parameter, value),
  );
  const ids = found.filter((_, index) =>
    known === null
      ? event.inputs[index]?.isTokenId
      : known.tokenIdIndex === index,
  );
  return {
    event,
    values: found.map(({ hex }) => hex),
    addresses: new Set(addresses),
    tokenIds: new Set(ids.flatMap(({ value }) => bigintsIn(value))),
  };
}

function bigintsIn(value: unknown): readonly bigint[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((each) =>
    typeof each === "bigint" || typeof each === "number" ? [BigInt(each)] : [],
  );
}

/** Finds all addresses, including addresses in lists and tuples. */
function addressesIn(
  parameter: AbiParameter,
  value: unknown,
): readonly string[] {
  if (value === undefined) return [];
  const { type } = parameter;
  if (type === "address") return [String(value).toLowerCase()];
  if (type.endsWith("]")) {
    const item = { ...parameter, type: type.replace(/\[[0-9]*\]$/u, "") };
    const values: readonly unknown[] = Array.isArray(value) ? value : [];
    return values.flatMap((each) => addressesIn(item, each));
  }
  if (!("components" in parameter)) return [];
  const parts: readonly unknown[] = Array.isArray(value) ? value : [];
  return parameter.components.flatMap((part, index) =>
    addressesIn(part, parts[index]),
  );
}
