import {
  type ParameterSegment,
  type PathSegment,
  type PathTemplate,
  pathParameters,
  shapeOf,
} from "../ir/path-template.js";
import type { WireAddress } from "./wire-method.js";

/** What decides which requests an address receives. */
export type AddressPattern = Pick<WireAddress, "template" | "verb">;

/** The texts of a parameter with which its path also matches another path. */
export interface SharedTexts {
  /** Name of the parameter. */
  readonly name: string;
  /** The only text, or texts that begin and end with a text. */
  readonly texts: string | TextsAround;
}

/** Texts that begin and end with a text, and have `gap` characters between. */
export interface TextsAround {
  readonly start: string;
  readonly end: string;
  /** The minimum number of characters. */
  readonly gap: number;
}

/**
 * Finds the requests for an address that another address also matches. Output:
 * the texts of each parameter in their paths, or null if there is no such
 * request.
 */
export function sharedRequests(
  own: AddressPattern,
  rival: AddressPattern,
): readonly SharedTexts[] | null {
  const segments = own.template.segments;
  const rivals = rival.template.segments;
  if (own.verb !== rival.verb || segments.length !== rivals.length) return null;
  const shared: SharedTexts[] = [];
  for (const [place, segment] of segments.entries()) {
    const other = rivals[place];
    if (other === undefined) return null;
    const texts = sharedTexts(segment, other);
    if (texts === null) return null;
    if (segment.kind === "parameter")
      shared.push({ name: segment.name, texts });
  }
  return shared;
}

/** Whether an address matches all requests for another one. */
export function matchesAll(
  wide: AddressPattern,
  narrow: AddressPattern,
): boolean {
  const shared = sharedRequests(narrow, wide);
  return (
    shared !== null &&
    shared.every(
      ({ texts }) =>
        typeof texts !== "string" &&
        texts.start === "" &&
        texts.end === "" &&
        texts.gap <= 1,
    )
  );
}

/** Returns the texts of a segment that another one matches, "" of a literal. */
function sharedTexts(
  own: PathSegment,
  rival: PathSegment,
): SharedTexts["texts"] | null {
  if (own.kind === "parameter")
    return rival.kind === "parameter"
      ? textsAround(own, rival)
      : textWithin(rival.text, own);
  const isShared =
    rival.kind === "parameter"
      ? textWithin(own.text, rival) !== null
      : own.text === rival.text;
  return isShared ? "" : null;
}

/** Returns the text in place of a parameter, or null if the segment differs. */
function textWithin(
  segment: string,
  { prefix, suffix }: ParameterSegment,
): string | null {
  const isLonger = segment.length > prefix.length + suffix.length;
  return isLonger && segment.startsWith(prefix) && segment.endsWith(suffix)
    ? segment.slice(prefix.length, segment.length - suffix.length)
    : null;
}

/**
 * Returns what is around the values of one parameter that are also requests for
 * another one, or null if there are none.
 */
function textsAround(
  own: ParameterSegment,
  rival: ParameterSegment,
): TextsAround | null {
  const isLonger =
    rival.prefix.startsWith(own.prefix) || own.prefix.startsWith(rival.prefix);
  const isLater =
    rival.suffix.endsWith(own.suffix) || own.suffix.endsWith(rival.suffix);
  if (!isLonger || !isLater) return null;
  const start = rival.prefix.slice(own.prefix.length);
  const length = Math.max(rival.suffix.length - own.suffix.length, 0);
  const end = rival.suffix.slice(0, length);
  const fixed = rival.prefix.length + rival.suffix.length;
  const known = own.prefix.length + own.suffix.length + start.length + length;
  return { start, end, gap: Math.max(fixed + 1 - known, 0) };
}

/**
 * Whether the first address takes precedence over the second: at the first
 * position where they differ in this, the first path has literal text, or a
 * parameter with more text around it, or with more text before it.
 */
export function takesPrecedence(
  one: AddressPattern,
  other: AddressPattern,
): boolean {
  const lengths = other.template.segments.flatMap(textLengths);
  const difference = one.template.segments
    .flatMap(textLengths)
    .map((length, at) => length - (lengths[at] ?? 0))
    .find((each) => each !== 0);
  return difference !== undefined && difference > 0;
}

function textLengths(segment: PathSegment): readonly number[] {
  if (segment.kind === "literal") return [1, 0, 0];
  const { prefix, suffix } = segment;
  return [0, prefix.length + suffix.length, prefix.length];
}

/**
 * Whether two paths have the same literals and parameters at the same
 * positions.
 */
export function haveSamePlaces(
  before: PathTemplate,
  after: PathTemplate,
): boolean {
  const [then, now] = [pathParameters(before), pathParameters(after)];
  return (
    shapeOf(before) === shapeOf(after) &&
    then.every((name, place) => !now.includes(name) || now[place] === name)
  );
}

/**
 * Returns a path without the names of its parameters, which can contain any
 * characters: `/orders/{}` for `/orders/{order-id}`.
 */
export function shapeOfText(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/gu, "{}");
}
