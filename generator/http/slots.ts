import type { Field } from "../ir/contract.js";
import { type ScalarName, scalars } from "../ir/scalars.js";
import type { ContractValues, ResolvedValue } from "../values/value.js";

/** A field of a message, and where it is on the wire. */
export interface FieldSlot {
  /**
   * Name at its place: that of a header as written, of a parameter, a pair, a
   * member or a part.
   */
  readonly name: string;
  readonly field: Field;
  readonly list: ListForm;
  /**
   * What it means that there is nothing at this place. `omitted`: the field is
   * absent. `empty`: a list is empty, and another field is missing, which is
   * invalid. `invalid`: the field is missing.
   */
  readonly absent: "omitted" | "empty" | "invalid";
}

/**
 * How a list is written at a place. `joined`: `a=1,2`. `repeated`: `a=1&a=2`.
 * `bracketed`: `a[]=1&a[]=2`. `array`: as JSON.
 */
export type ListForm = "joined" | "repeated" | "bracketed" | "array";

/** A pair of the query that clients always send, and that servers ignore. */
export interface FixedPair {
  readonly name: string;
  readonly value: string;
}

/** The places of a request, and what is there. */
export interface RequestPlaces {
  /** A parameter of the path. */
  readonly path: FieldSlot;
  /** A pair of the query, or several for a repeated list. */
  readonly query: FieldSlot;
  /** A pair of the query without a field. */
  readonly fixed: FixedPair;
  readonly header: FieldSlot;
  /** A member of the object, or pairs of the form, that is the body. */
  readonly member: FieldSlot;
  /** A file in a form with files. */
  readonly part: FieldSlot;
  /** The whole body. */
  readonly whole: FieldSlot;
}

/** The places of a response, and what is there. */
export interface ResponsePlaces {
  /** The status of the response. */
  readonly status: FieldSlot;
  readonly header: FieldSlot;
  /** A member of the object that is the body. */
  readonly member: FieldSlot;
  /** The whole body of the responses with some statuses. */
  readonly whole: FieldSlot;
}

/** What is at one of some places, with the name of the place. */
export type SlotOf<Places, Place extends keyof Places = keyof Places> = {
  readonly [Each in Place]: { readonly place: Each } & Places[Each];
}[Place];

/** A place of a request, and what is there. */
export type RequestSlot = SlotOf<RequestPlaces>;

/** A place of a response, and what is there. */
export type ResponseSlot = SlotOf<ResponsePlaces>;

/** What a fold makes of each place. It answers for all of them. */
export type SlotFold<Places, Result> = {
  readonly [Place in keyof Places]: (
    slot: SlotOf<Places, Place>,
  ) => readonly Result[];
};

/** Returns what a fold makes of the places of a request, in their order. */
export function foldRequest<Result>(
  { slots }: { readonly slots: readonly RequestSlot[] },
  fold: SlotFold<RequestPlaces, Result>,
): readonly Result[] {
  return foldSlots(slots, fold);
}

/** Returns what a fold makes of the places of a response, in their order. */
export function foldResponse<Result>(
  { slots }: { readonly slots: readonly ResponseSlot[] },
  fold: SlotFold<ResponsePlaces, Result>,
): readonly Result[] {
  return foldSlots(slots, fold);
}

function foldSlots<Places, Result>(
  slots: readonly SlotOf<Places>[],
  fold: SlotFold<Places, Result>,
): readonly Result[] {
  return slots.flatMap((slot) =>
    applyFold<Places, keyof Places, Result>(slot, fold),
  );
}

function applyFold<Places, Place extends keyof Places, Result>(
  slot: SlotOf<Places, Place>,
  fold: SlotFold<Places, Result>,
): readonly Result[] {
  return fold[slot.place](slot);
}

/** Returns the fields of a request at one of its places. */
export function fieldsAt(
  { slots }: { readonly slots: readonly RequestSlot[] },
  place: Exclude<keyof RequestPlaces, "fixed">,
): readonly FieldSlot[] {
  return slots.flatMap((slot) =>
    slot.place !== "fixed" && slot.place === place ? [slot] : [],
  );
}

/** Returns the outputs of a response in headers. */
export function responseHeaders(response: {
  readonly slots: readonly ResponseSlot[];
}): readonly FieldSlot[] {
  return foldResponse<FieldSlot>(response, {
    status: skip,
    header: keep,
    member: skip,
    whole: skip,
  });
}

/** Leaves out what is at a place. */
export function skip(): readonly never[] {
  return [];
}

/** Keeps what is at a place. */
export function keep<Slot>(slot: Slot): readonly Slot[] {
  return [slot];
}

/** How a value is written where there is only text: in an address or a header. */
export interface TextForm {
  /** Whether the value is a list, whose items are written one by one. */
  readonly isList: boolean;
  /** `text`: as it is. `json`: a number, a boolean or null, as in JSON. */
  readonly writing: "text" | "json";
}

/** Returns how a field is written in an address or a header. */
export function textFormOf(
  values: ContractValues,
  { type }: Pick<Field, "type">,
): TextForm {
  const value = values.valueOf(type);
  return value.kind === "list"
    ? { isList: true, writing: writingOf(values.valueOf(value.element)) }
    : { isList: false, writing: writingOf(value) };
}

function writingOf(value: ResolvedValue): TextForm["writing"] {
  switch (value.kind) {
    case "scalar":
      return scalarWriting(value.scalar);
    case "bytes":
    case "enum":
      return "text";
    // Only forms contain these values, as pairs of their parts.
    case "list":
    case "map":
    case "struct":
    case "union":
      return "text";
  }
}

/** Returns how a scalar is written where there is only text. */
export function scalarWriting(name: ScalarName): TextForm["writing"] {
  return scalarWritings[scalars[name].wire];
}

const scalarWritings = {
  any: "text",
  boolean: "json",
  file: "text",
  null: "json",
  number: "json",
  string: "text",
} as const;
