import type { Enum, EnumMember } from "../../ir/contract.js";
import type { Pair, Pairing } from "./pairing.js";
import { pairBy } from "./pairing.js";

/**
 * Pairs the members of two enums: by what stands on the wire, and what is left
 * by name, which is the same value with another text.
 */
export function pairMembers({
  before,
  after,
}: Pair<Enum>): Pairing<EnumMember> {
  const byWire = pairBy(
    before.members,
    after.members,
    ({ jsonValue }) => jsonValue,
  );
  const byName = pairBy(byWire.removed, byWire.added, ({ name }) => name);
  return { ...byName, kept: [...byWire.kept, ...byName.kept] };
}
