import type { Field, Host, Method, Struct } from "../../../ir/contract.js";
import { remember } from "../../../ir/remember.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import { structIn } from "./struct-in.js";

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
  const held = new Set<Struct>();
  const hold = (fields: readonly Field[]): void => {
    for (const { type } of fields) {
      const struct = structIn(index, type);
      if (struct !== null) held.add(struct);
    }
  };
  const methods = host.services.flatMap((service) => service.methods);
  for (const { response } of methods) {
    hold(response.fields);
    if (response.struct === null) continue;
    if (answered.has(response.struct)) repeated.add(response.struct);
    answered.add(response.struct);
  }
  // A set is walked in the order of insertion, new members included.
  for (const { fields } of held) hold(fields);
  return new Set([...repeated, ...[...held].map(({ name }) => name)]);
});
