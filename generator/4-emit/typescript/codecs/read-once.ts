import type { Host, Method } from "../../../ir/contract.js";
import { remember } from "../../../ir/remember.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import { structsWithin } from "./struct-in.js";

/**
 * Whether no other message of a host is or holds the response of a method, so that
 * what reads it may stand where the method is.
 */
export function isReadOnce(
  index: ContractIndex,
  host: Host,
  { response }: Method,
): boolean {
  return (
    response.struct === null || !sharedStructs(index, host).has(response.struct)
  );
}

/** Names of the structs that several responses of a host are, or that one holds. */
const sharedStructs = remember((index: ContractIndex, host: Host) => {
  const answered = new Set<string>();
  const repeated = new Set<string>();
  const methods = host.services.flatMap((service) => service.methods);
  for (const { response } of methods) {
    if (response.struct === null) continue;
    if (answered.has(response.struct)) repeated.add(response.struct);
    answered.add(response.struct);
  }
  const fields = methods.flatMap(({ response }) => response.fields);
  const held = [...structsWithin(index, fields)].map(({ name }) => name);
  return new Set([...repeated, ...held]);
});
