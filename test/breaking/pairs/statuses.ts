import type { Field, Method } from "../../../generator/ir/contract.js";
import { wireOf } from "../../../generator/http/wire-of.js";
import type { Random } from "../../support/random.js";
import type { ValueDraw } from "./draw-value.js";
import type { SketchField, SketchMethod, SketchStatus } from "./sketch.js";

const numbers = [200, 201, 202, 203, 204, 206] as const;

/** Returns the name of a field in messages. */
function jsonNameOf({ meta, name }: SketchField): string {
  return meta["json"] ?? name;
}

/**
 * Draws up to three statuses whose bodies are some of the fields. With one
 * probability in ten, all bodies are the same.
 */
export function drawStatuses(
  random: Random,
  fields: readonly SketchField[],
): SketchStatus[] {
  const bodies = [...fields.map(jsonNameOf), null];
  const only = random.chance(0.1) ? random.oneOf([bodies[0] ?? null]) : null;
  return random
    .shuffled(numbers)
    .slice(0, 1 + random.below(3))
    .map((status) => ({
      status,
      field: status === 204 ? null : (only ?? random.oneOf(asTuple(bodies))),
    }));
}

/**
 * Makes the outputs of a method fit its statuses: removes outputs that no
 * response contains, and adds an output for the status if one is necessary.
 */
export function settleStatuses(
  method: SketchMethod,
  fields: SketchField[],
): void {
  const statuses = method.http?.statuses ?? [];
  if (statuses.length === 0) {
    method.responseStatus = null;
    return;
  }
  method.body = null;
  const bodies = statuses.map(({ field }) => field);
  const isUnclear = new Set(bodies).size < bodies.length;
  if (isUnclear && method.responseStatus === null) {
    method.responseStatus = "code";
  }
  const { responseHeaders, responseStatus } = method;
  const kept = fields.filter(
    (field) =>
      bodies.includes(jsonNameOf(field)) ||
      field.name === responseStatus ||
      responseHeaders.some((header) => header.field === field.name),
  );
  if (
    responseStatus !== null &&
    kept.every(({ name }) => name !== responseStatus)
  ) {
    kept.push({
      name: responseStatus,
      type: "uint16",
      isOptional: false,
      meta: {},
    });
  }
  for (const field of kept) {
    if (!bodies.includes(jsonNameOf(field))) continue;
    field.isOptional = !bodies.every((body) => body === jsonNameOf(field));
    if (field.isOptional) delete field.meta["nullable"];
  }
  fields.splice(0, fields.length, ...kept);
}

/** Draws a response. If it depends on the status, it fits one of them. */
export function drawResponse(
  draw: ValueDraw,
  method: Method,
  random: Random,
): Record<string, unknown> {
  const { response, route } = method;
  if (route.kind !== "rest") return draw.message(response.fields);
  const chosen = random.maybeOneOf(route.statuses);
  if (chosen === undefined) return draw.message(response.fields);
  const bodies = wireOf(method).response.wholes.map(({ jsonName }) => jsonName);
  const isAbsent = ({ jsonName }: Field): boolean =>
    jsonName !== chosen.body && bodies.includes(jsonName);
  const fields = response.fields
    .filter((field) => !isAbsent(field))
    .map((field) =>
      field.jsonName === chosen.body ? { ...field, isOptional: false } : field,
    );
  const { statusOutput } = route;
  return {
    ...draw.message(fields),
    ...(statusOutput !== null && { [statusOutput]: chosen.status }),
  };
}

function asTuple<Item>(items: readonly Item[]): [Item, ...Item[]] {
  const [first, ...others] = items;
  if (first === undefined) throw new Error("there is an item");
  return [first, ...others];
}
