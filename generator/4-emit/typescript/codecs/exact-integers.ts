import type {
  Field,
  Host,
  Method,
  TypeReference,
} from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import type { EmitOptions } from "../../emitter.js";
import { structsWithin } from "./struct-in.js";

/** Whether the type is an alias with `+ accept = integer`, directly or not. */
export function acceptsInteger(
  index: ContractIndex,
  reference: TypeReference,
): boolean {
  return index.aliasesFrom(reference).some((alias) => alias.acceptsInteger);
}

/** Whether the type is a 64-bit integer that a `number` may not hold. */
export function isWide(
  index: ContractIndex,
  reference: TypeReference,
): boolean {
  if (index.isSafeInteger(reference)) return false;
  const type = index.resolve(reference);
  return (
    type.kind === "scalar" && (type.name === "int64" || type.name === "uint64")
  );
}

/** Which messages of a host are read without rounding; large integers are `bigint`. */
export interface ExactSides {
  /** Some requests, by servers. */
  readonly requests: boolean;
  /** Some responses, by clients. */
  readonly responses: boolean;
}

/** What some hosts read without rounding. */
export function exactSidesOf(
  index: ContractIndex,
  options: EmitOptions,
  hosts: readonly Host[],
): ExactSides {
  const methods = hosts.flatMap(({ services }) =>
    services.flatMap((service) => service.methods),
  );
  return {
    requests: methods.some((method) =>
      readsExactRequest(index, options, method),
    ),
    responses: methods.some((method) =>
      readsExactResponse(index, options, method),
    ),
  };
}

/**
 * Whether a server must read the integers of a request without rounding: some
 * may be beyond ±(2^53-1).
 */
export function readsExactRequest(
  index: ContractIndex,
  options: EmitOptions,
  { request }: Method,
): boolean {
  const isExact = (type: TypeReference): boolean =>
    acceptsInteger(index, type) ||
    (options.int64 === "bigint" && isWide(index, type));
  return holds(index, request.fields, isExact);
}

/** Whether a client reads a response so: it has 64-bit integers as `bigint`. */
export function readsExactResponse(
  index: ContractIndex,
  options: EmitOptions,
  { response, route }: Method,
): boolean {
  // Nothing of the answer to a webhook is read.
  return (
    route.kind !== "webhook" && holdsBigints(index, options, response.fields)
  );
}

/** Whether a message has 64-bit integers as `bigint`. */
export function holdsBigints(
  index: ContractIndex,
  options: EmitOptions,
  fields: readonly Field[],
): boolean {
  if (options.int64 !== "bigint") return false;
  return holds(index, fields, (type) => isWide(index, type));
}

/** Whether something in a message is so. */
function holds(
  index: ContractIndex,
  fields: readonly Field[],
  isSo: (type: TypeReference) => boolean,
): boolean {
  const isWithin = (reference: TypeReference): boolean => {
    if (isSo(reference)) return true;
    const type = index.resolve(reference);
    if (type.kind === "list") return isWithin(type.element);
    return type.kind === "map" && isWithin(type.value);
  };
  const isAmong = (list: readonly Field[]): boolean =>
    list.some((field) => !index.isSafeInteger(field) && isWithin(field.type));
  if (isAmong(fields)) return true;
  for (const struct of structsWithin(index, fields)) {
    if (isAmong(struct.fields)) return true;
  }
  return false;
}
