import { allMethods } from "../../../../generator/ir/methods-of.js";
import {
  type ParameterSegment,
  type PathSegment,
  parsePathTemplate,
} from "../../../../generator/ir/path-template.js";
import {
  type ContractValues,
  valuesOf,
} from "../../../../generator/values/value.js";
import type { Contract, Method } from "../../../../generator/ir/contract.js";
import { wireOf } from "../../../../generator/wire/wire-of.js";
import type { Effects } from "./change.js";
import type { PairedContracts, PlacedMethod } from "./paired-contracts.js";
import { fitsAround, fitsSegment, type TextsAround } from "./sets.js";
import { type CodeModes, describeValue, type WireValue } from "./value.js";

/** Returns the path of a method, or "" for webhooks. */
export function pathOf(method: Method): string {
  return wireOf(method).address?.template.text ?? "";
}

function verbOf(method: Method): string {
  return wireOf(method).address?.verb ?? "POST";
}

/** Finds paths of other methods that receive calls for this one. */
export function findShadows(
  placed: PlacedMethod,
  contract: Contract,
  modes: CodeModes,
): readonly string[] {
  const own = segmentsOf(placed.method);
  const valueOf = valuesIn(placed, contract, modes);
  return allMethods(contract.hosts)
    .filter((method) => {
      const rival = segmentsOf(method);
      return (
        !method.isClientOnly &&
        verbOf(method) === verbOf(placed.method) &&
        takesPrecedence(rival, own) &&
        canShareAll(own, rival, valueOf, isSent)
      );
    })
    .map(pathOf);
}

/**
 * Returns the effects of new methods. Old servers answer calls of some of them
 * with another method: `/users/me` with that of `/users/{id}`.
 */
export function effectsOfNew(
  added: readonly PlacedMethod[],
  contracts: PairedContracts,
): Effects {
  const { kept } = contracts.methods;
  // A read that moved from another service is not new.
  const areTaken = added
    .filter(({ method }) => kept.every(({ after }) => after.method !== method))
    .some((placed) => isTaken(placed, contracts));
  return {
    "wire-strict": areTaken ? "error" : "note",
    "server-source": "note",
  };
}

/** Whether old servers take calls of a new method for those of another one. */
function isTaken(
  placed: PlacedMethod,
  { after, before, modes }: PairedContracts,
): boolean {
  const { method, ...place } = placed;
  // Webhooks have no address of their own.
  if (method.route.kind === "webhook") return false;
  const own = segmentsOf(method);
  const valueOf = valuesIn(placed, after, modes.after);
  return allMethods(before.hosts).some((other) => {
    const rival = segmentsOf(other);
    const rivalValueOf = valuesIn(
      { ...place, method: other },
      before,
      modes.before,
    );
    return (
      !other.isClientOnly &&
      verbOf(other) === verbOf(method) &&
      canShareAll(own, rival, valueOf, isSent) &&
      // Servers also read what clients would encode.
      canShareAll(rival, own, rivalValueOf, () => true)
    );
  });
}

function segmentsOf(method: Method): readonly PathSegment[] {
  // The path of webhooks is empty.
  return (wireOf(method).address?.template ?? parsePathTemplate("")).segments;
}

type ValueOf = (name: string) => SegmentValue | null;

function valuesIn(
  placed: PlacedMethod,
  contract: Contract,
  modes: CodeModes,
): ValueOf {
  return (name) => segmentValue(name, placed, valuesOf(contract), modes);
}

function canShareAll(
  own: readonly PathSegment[],
  rivals: readonly PathSegment[],
  valueOf: ValueOf,
  isText: (text: string) => boolean,
): boolean {
  return (
    rivals.length === own.length &&
    rivals.every((rival, place) => {
      const segment = own[place];
      return segment !== undefined && canShare(segment, rival, valueOf, isText);
    })
  );
}

/** The value of a segment. Commas separate the items of a list. */
interface SegmentValue {
  readonly isList: boolean;
  /** The value, or an item of a list. */
  readonly item: WireValue;
}

/** Returns the value of a path's field, or null for other parameters. */
function segmentValue(
  name: string,
  { method: { request, route }, subject }: PlacedMethod,
  values: ContractValues,
  modes: CodeModes,
): SegmentValue | null {
  const field = request.fields.find(({ jsonName }) => jsonName === name);
  if (route.kind !== "rest" || !field) return null;
  const value = values.valueOf(field.type);
  const isList = value.kind === "list";
  const part = isList ? { type: value.element, constraints: {} } : field;
  const source = {
    ...part,
    subject,
    form: "path",
    isRequired: true,
    isItem: false,
  } as const;
  return { isList, item: describeValue(source, values, modes) };
}

/**
 * Whether a request for one segment also fits another one. Input: whether a text
 * can be in the request as it is.
 */
function canShare(
  own: PathSegment,
  rival: PathSegment,
  valueOf: ValueOf,
  isText: (text: string) => boolean,
): boolean {
  if (own.kind === "literal") {
    return rival.kind === "literal"
      ? own.text === rival.text
      : textWithin(own.text, rival) !== "";
  }
  if (rival.kind === "literal") {
    const text = textWithin(rival.text, own);
    const value = valueOf(own.name);
    if (text === "" || value === null) return text !== "";
    const items = value.isList ? text.split(",") : [text];
    return items.every((item) => isText(item) && fitsSegment(item, value.item));
  }
  const around = textsAround(own, rival);
  const value = valueOf(own.name);
  if (around === null || value === null) return around !== null;
  const { end, start } = around;
  if (value.isList) {
    // The first and the last item can differ.
    const parts = [
      { ...around, end: "" },
      { ...around, start: "" },
    ];
    return parts.every((part) => fitsAround(part, value.item));
  }
  return isText(start + end) && fitsAround(around, value.item);
}

/** Whether clients send a text as it is, without percent-encoding. */
function isSent(text: string): boolean {
  return encodeURIComponent(text) === text;
}

/** Returns the text in place of a parameter, or "" if the segment differs. */
function textWithin(
  segment: string,
  { prefix, suffix }: ParameterSegment,
): string {
  return segment.startsWith(prefix) && segment.endsWith(suffix)
    ? segment.slice(prefix.length, segment.length - suffix.length)
    : "";
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
 * Whether the first path takes precedence over the second: at the first
 * position where they differ in this, the first path has literal text, or a
 * parameter with more text around it, or with more text before it.
 */
function takesPrecedence(
  one: readonly PathSegment[],
  other: readonly PathSegment[],
): boolean {
  const lengths = other.flatMap(textLengths);
  const difference = one
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
