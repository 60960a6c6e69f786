import { allMethods } from "../../../../generator/ir/methods-of.js";
import {
  type ContractValues,
  valuesOf,
} from "../../../../generator/values/value.js";
import type { Contract, Method } from "../../../../generator/ir/contract.js";
import {
  sharedRequests,
  type SharedTexts,
  takesPrecedence,
} from "../../../../generator/http/match-addresses.js";
import type { WireAddress } from "../../../../generator/http/wire-method.js";
import { wireOf } from "../../../../generator/http/wire-of.js";
import type { Effects } from "./change.js";
import type { PairedContracts, PlacedMethod } from "./paired-contracts.js";
import { fitsAround, fitsSegment } from "./sets.js";
import { type CodeModes, describeValue, type WireValue } from "./value.js";

/** Returns the path of a method, or "" for webhooks. */
export function pathOf(method: Method): string {
  return wireOf(method).address?.template.text ?? "";
}

/** Finds paths of other methods that receive calls for this one. */
export function findShadows(
  placed: PlacedMethod,
  contract: Contract,
  modes: CodeModes,
): readonly string[] {
  const own = wireOf(placed.method).address;
  if (own === null) return [];
  const valueOf = valuesIn(placed, contract, modes);
  return allMethods(contract.hosts)
    .filter((method) => {
      const rival = wireOf(method).address;
      return (
        rival !== null &&
        !method.isClientOnly &&
        takesPrecedence(rival, own) &&
        canShare(own, rival, valueOf, isSent)
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
  const own = wireOf(method).address;
  if (own === null) return false;
  const valueOf = valuesIn(placed, after, modes.after);
  return allMethods(before.hosts).some((other) => {
    const rival = wireOf(other).address;
    const rivalValueOf = valuesIn(
      { ...place, method: other },
      before,
      modes.before,
    );
    return (
      rival !== null &&
      !other.isClientOnly &&
      canShare(own, rival, valueOf, isSent) &&
      // Servers also read what clients would encode.
      canShare(rival, own, rivalValueOf, () => true)
    );
  });
}

type ValueOf = (name: string) => SegmentValue | null;

function valuesIn(
  placed: PlacedMethod,
  contract: Contract,
  modes: CodeModes,
): ValueOf {
  return (name) => segmentValue(name, placed, valuesOf(contract), modes);
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
 * Whether a request for one address also fits another one. Input: whether a text
 * can be in the request as it is.
 */
function canShare(
  own: WireAddress,
  rival: WireAddress,
  valueOf: ValueOf,
  isText: (text: string) => boolean,
): boolean {
  const shared = sharedRequests(own, rival);
  return (
    shared !== null &&
    shared.every((texts) => {
      const value = valueOf(texts.name);
      return value === null || fitsTexts(texts, value, isText);
    })
  );
}

/** Whether one of these texts can be a value. */
function fitsTexts(
  { around, single }: SharedTexts,
  { isList, item }: SegmentValue,
  isText: (text: string) => boolean,
): boolean {
  const isSingle = single.some((text) => {
    const items = isList ? text.split(",") : [text];
    return items.every((each) => isText(each) && fitsSegment(each, item));
  });
  if (isSingle || around === null) return isSingle;
  if (isList) {
    // The first and the last item can differ.
    const parts = [
      { ...around, end: "" },
      { ...around, start: "" },
    ];
    return parts.every((part) => fitsAround(part, item));
  }
  return isText(around.start + around.end) && fitsAround(around, item);
}

/** Whether clients send a text as it is, without percent-encoding. */
function isSent(text: string): boolean {
  return encodeURIComponent(text) === text;
}
