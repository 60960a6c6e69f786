import type { Contract, Field, TypeReference } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import type { EmitOptions } from "../../emitter.js";

/** Whether the type is an alias with `+ accept = integer`, directly or not. */
export function acceptsInteger(
  index: ContractIndex,
  reference: TypeReference,
): boolean {
  if (reference.kind !== "reference") return false;
  const type = index.type(reference.name);
  if (type.kind !== "alias") return false;
  return type.acceptsInteger || acceptsInteger(index, type.type);
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

/**
 * Whether there are messages whose integers are read without rounding, so that
 * large ones are `bigint`, and floats without a fraction as well.
 */
export function readsBigints(
  contract: Contract,
  index: ContractIndex,
  options: EmitOptions,
): boolean {
  const isExact = (type: TypeReference): boolean => {
    if (acceptsInteger(index, type)) return true;
    const resolved = index.resolve(type);
    if (resolved.kind === "list") return isExact(resolved.element);
    if (resolved.kind === "map") return isExact(resolved.value);
    return options.int64 === "bigint" && isWide(index, type);
  };
  return fieldsOf(contract).some(
    (field) => !index.isSafeInteger(field) && isExact(field.type),
  );
}

/** Fields of structs, and those of messages that list arguments. */
function fieldsOf({ hosts, types }: Contract): readonly Field[] {
  const methods = hosts.flatMap(({ services }) =>
    services.flatMap((service) => service.methods),
  );
  return [
    ...types.flatMap((type) => (type.kind === "struct" ? type.fields : [])),
    ...methods.flatMap(({ request, response }) => [
      ...request.fields,
      ...response.fields,
    ]),
  ];
}
