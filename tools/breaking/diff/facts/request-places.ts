import type { Field, Method } from "../../../../generator/ir/contract.js";
import {
  type FieldSlot,
  foldRequest,
  foldResponse,
  skip,
} from "../../../../generator/http/slots.js";
import { wireOf } from "../../../../generator/http/wire-of.js";
import { breaksCode, type Effects } from "./change.js";
import type { ObjectShape } from "./object-shape.js";
import type { PlacedField, PlacedMethod } from "./paired-contracts.js";
import { type Pair, mapPair } from "./pairing.js";
import type { WrittenForm } from "./value.js";

/** Where the request of a REST method has a field. */
export interface RequestPlace {
  readonly field: Field;
  /** Unique, except in the object that is the body. */
  readonly place: string;
  /** How the field is written, or null if it is a member of the body. */
  readonly form: Exclude<WrittenForm, "key"> | null;
}

/** Returns the places of all fields of a method's request. */
export function placedFields(method: Method): readonly RequestPlace[] {
  const { address, request } = wireOf(method);
  const inHeader = ({ field, name }: FieldSlot): readonly RequestPlace[] => [
    { field, place: `header ${name.toLowerCase()}`, form: "query" },
  ];
  const inBody = ({ field }: FieldSlot): readonly RequestPlace[] => [
    { field, place: "in the body", form: null },
  ];
  let index = 0;
  return foldRequest<RequestPlace>(request, {
    path: ({ field }) => [
      { field, place: `${address?.shape ?? ""} ${index++}`, form: "path" },
    ],
    query: ({ field, list, name }) => [
      {
        field,
        place: `?${name}${list === "joined" ? "," : ""}`,
        form: "query",
      },
    ],
    fixed: skip,
    header: inHeader,
    member: inBody,
    part: inBody,
    whole: ({ field }) => [{ field, place: "the body", form: "json" }],
  });
}

/** Returns the JSON names of fields that both requests have at other places. */
export function movedFields(before: Method, after: Method): readonly string[] {
  const now = new Map(
    placedFields(after).map(({ field, place }) => [field.jsonName, place]),
  );
  return placedFields(before).flatMap(({ field: { jsonName }, place }) =>
    (now.get(jsonName) ?? place) === place ? [] : jsonName,
  );
}

/** Returns the JSON names of outputs that both methods have in other headers. */
export function movedOutputs(before: Method, after: Method): readonly string[] {
  const [then, now] = [headersOf(before), headersOf(after)];
  const kept = before.response.fields.filter(({ jsonName }) =>
    after.response.fields.some((each) => each.jsonName === jsonName),
  );
  return kept.flatMap(({ jsonName }) =>
    then.get(jsonName) === now.get(jsonName) ? [] : jsonName,
  );
}

/** Returns the lowercase names of the headers of outputs, by JSON names. */
function headersOf(method: Method): ReadonlyMap<string, string> {
  const headers = foldResponse(wireOf(method).response, {
    status: skip,
    header: ({ field, name }) => [
      [field.jsonName, name.toLowerCase()] as const,
    ],
    member: skip,
    whole: skip,
  });
  return new Map(headers);
}

/** Pairs outputs by their headers, and leaves those that are in none. */
export function pairOutputs(
  pair: Pair<PlacedMethod>,
  shapes: Pair<ObjectShape>,
): {
  readonly kept: readonly Pair<PlacedField>[];
  readonly others: Pair<readonly PlacedField[]>;
} {
  const headers = mapPair(pair, ({ method }) => headersOf(method));
  const others = {
    before: shapes.before.fields.filter(
      ({ field }) => !headers.before.has(field.jsonName),
    ),
    after: shapes.after.fields.filter(
      ({ field }) => !headers.after.has(field.jsonName),
    ),
  };
  const kept = shapes.before.fields.flatMap((before) => {
    const name = headers.before.get(before.field.jsonName);
    const after = shapes.after.fields.find(
      ({ field }) =>
        name !== undefined && headers.after.get(field.jsonName) === name,
    );
    return after === undefined ? [] : { before, after };
  });
  return { kept, others };
}

/** Whether the outputs of a method depend on the status. */
export function hasStatuses(method: Method): boolean {
  return wireOf(method).response.byStatus.length > 0;
}

/** Pairs the outputs that are the bodies of the same status. */
export function pairByStatus(
  pair: Pair<PlacedMethod>,
  shapes: Pair<ObjectShape>,
): readonly Pair<PlacedField>[] {
  const [then, now] = [
    bodiesOf(pair.before.method),
    bodiesOf(pair.after.method),
  ];
  const pairs = shapes.before.fields.flatMap((before) =>
    shapes.after.fields.flatMap((after) => {
      const isSame = [...then].some(
        ([status, name]) =>
          name === before.field.jsonName &&
          now.get(status) === after.field.jsonName,
      );
      return isSame ? { before, after } : [];
    }),
  );
  return pairs;
}

/** Returns the outputs that depend on the status, if there are several. */
export function statusOutputs(
  pair: Pair<PlacedMethod>,
  shapes: Pair<ObjectShape>,
): readonly PlacedField[] {
  if (![pair.before.method, pair.after.method].some(hasStatuses)) return [];
  return (["before", "after"] as const).flatMap((side) => {
    const names = statusNames(pair[side].method);
    return shapes[side].fields.filter(({ field }) =>
      names.includes(field.jsonName),
    );
  });
}

/** Returns what code notices of changed outputs that depend on the status. */
export function statusOutputEffects(before: Method, after: Method): Effects {
  if (![before, after].some(hasStatuses)) return {};
  const isLost = statusNames(before).some((name) => !findOutput(after, name));
  const isNeeded = statusNames(after).some(
    (name) =>
      !findOutput(before, name) &&
      findOutput(after, name)?.isOptional === false,
  );
  return {
    ...(isNeeded && { "server-source": "error" }),
    ...(isLost && breaksCode),
  };
}

function findOutput({ response }: Method, name: string): Field | undefined {
  return response.fields.find(({ jsonName }) => jsonName === name);
}

/** Returns the outputs that are a status, or whole bodies. */
function statusNames(method: Method): readonly string[] {
  const nameOf = ({ field }: FieldSlot): readonly string[] => [field.jsonName];
  return foldResponse<string>(wireOf(method).response, {
    status: nameOf,
    header: skip,
    member: skip,
    whole: nameOf,
  });
}

/** Returns the outputs that are whole bodies, by their statuses. */
function bodiesOf(method: Method): ReadonlyMap<number, string> {
  const { successes, whole } = wireOf(method).response;
  return new Map(
    successes.flatMap(({ body, status }) => {
      if (body === "none") return [];
      const field = body === "message" ? whole : body;
      return field === null ? [] : [[status, field.jsonName] as const];
    }),
  );
}

/** What happened to the statuses of a success. */
export type StatusChange = "none" | "added" | "removed" | "changed";

/**
 * Compares the statuses of two methods and the kinds of their bodies. `added`
 * and `removed` mean that all other statuses are as before.
 */
export function statusChangeOf(before: Method, after: Method): StatusChange {
  const [then, now] = [contentsOf(before), contentsOf(after)];
  const isKept = [...now].every(([status, kind]) => then.get(status) === kind);
  if (!isKept) {
    const isMore = [...then].every(
      ([status, kind]) => now.get(status) === kind,
    );
    return isMore ? "added" : "changed";
  }
  return then.size === now.size ? "none" : "removed";
}

/** Returns the kind of the body of each status. */
function contentsOf(method: Method): ReadonlyMap<number, string> {
  const { successes, whole } = wireOf(method).response;
  return new Map(
    successes.map(({ body, status }) => {
      const usual = body === "message" && whole !== null ? whole : body;
      return [status, typeof usual === "object" ? "field" : usual] as const;
    }),
  );
}

/** Fields at the same place of a message, which need not have the same name. */
export interface PlacedPairs {
  readonly form: Exclude<WrittenForm, "key">;
  readonly kept: readonly Pair<PlacedField>[];
}

/**
 * Pairs the fields of requests of REST methods: by position in the path, by
 * their names in the query and in headers, and the fields that are the whole
 * body. Fields that moved are left out.
 */
export function pairRequestParts(
  pair: Pair<PlacedMethod>,
  shapes: Pair<ObjectShape>,
): readonly PlacedPairs[] {
  const { before, after } = mapPair(pair, ({ method }) => method);
  if (before.route.kind !== "rest" || after.route.kind !== "rest") return [];
  const moved = movedFields(before, after);
  const places = placedFields(after);
  const pairs = placedFields(before).flatMap(({ field, form, place }) => {
    const other = places.find((each) => each.place === place)?.field;
    const fields = [field, other].filter((each) => each !== undefined);
    if (fields.some(({ jsonName }) => moved.includes(jsonName))) return [];
    const then = shapes.before.fields.find((each) => each.field === field);
    const now = shapes.after.fields.find((each) => each.field === other);
    return form && then && now ? [{ form, before: then, after: now }] : [];
  });
  return (["path", "query", "json"] as const).flatMap((form) => {
    const kept = pairs.filter((each) => each.form === form);
    return kept.length === 0 ? [] : { form, kept };
  });
}
