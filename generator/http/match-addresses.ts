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
  /** Single texts. */
  readonly single: readonly string[];
  /** All texts that begin and end with a text, or null. */
  readonly around: TextsAround | null;
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
      shared.push({ name: segment.name, ...texts });
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
      ({ around }) =>
        around !== null &&
        around.start === "" &&
        around.end === "" &&
        around.gap <= 1,
    )
  );
}

type Texts = Omit<SharedTexts, "name">;

/**
 * Returns the texts of a segment's parameter for which another segment matches
 * it, or null if there are none. A literal segment has no such texts.
 */
function sharedTexts(own: PathSegment, rival: PathSegment): Texts | null {
  if (own.kind === "parameter") {
    if (rival.kind === "parameter") return textsOfBoth(own, rival);
    const text = textWithin(rival.text, own);
    return text === null ? null : { single: [text], around: null };
  }
  const isShared =
    rival.kind === "parameter"
      ? textWithin(own.text, rival) !== null
      : own.text === rival.text;
  return isShared ? { single: [], around: null } : null;
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
 * Returns the values of one parameter in segments that another one also matches,
 * or null if there are none.
 */
function textsOfBoth(
  own: ParameterSegment,
  rival: ParameterSegment,
): Texts | null {
  const prefix = longer(own.prefix, rival.prefix);
  const suffix = longer(own.suffix, rival.suffix);
  const isShared = [own, rival].every(
    (each) => prefix.startsWith(each.prefix) && suffix.endsWith(each.suffix),
  );
  if (!isShared) return null;
  const minLength = Math.max(fixedLength(own), fixedLength(rival)) + 1;
  const fixed = prefix.length + suffix.length;
  const valueIn = (segment: string): string =>
    segment.slice(own.prefix.length, segment.length - own.suffix.length);
  const around = {
    start: prefix.slice(own.prefix.length),
    end: suffix.slice(0, suffix.length - own.suffix.length),
    gap: Math.max(minLength - fixed, 0),
  };
  // In shorter segments, the prefix of one overlaps the suffix of the other.
  const overlaps = Array.from(
    { length: Math.max(fixed - minLength, 0) },
    (_, index) => index + 1,
  );
  const single = overlaps
    .filter((overlap) => prefix.endsWith(suffix.slice(0, overlap)))
    .map((overlap) => valueIn(prefix + suffix.slice(overlap)));
  return { single, around };
}

function longer(one: string, other: string): string {
  return one.length < other.length ? other : one;
}

function fixedLength({ prefix, suffix }: ParameterSegment): number {
  return prefix.length + suffix.length;
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
  return [0, fixedLength(segment), segment.prefix.length];
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
