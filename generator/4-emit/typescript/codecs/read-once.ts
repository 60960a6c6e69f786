import type { Field, Host, Method } from "../../../ir/contract.js";
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
  const held = new Set<string>();
  const visit = (fields: readonly Field[]): void => {
    for (const { type } of fields) {
      const struct = structIn(index, type);
      if (struct === null || held.has(struct.name)) continue;
      held.add(struct.name);
      visit(struct.fields);
    }
  };
  const methods = host.services.flatMap((service) => service.methods);
  for (const { response } of methods) {
    visit(response.fields);
    if (response.struct === null) continue;
    if (answered.has(response.struct)) repeated.add(response.struct);
    answered.add(response.struct);
  }
  return new Set([...repeated, ...held]);
});
