import { codeOf } from "../../../../generator/diagnostics/names.js";
import type { Enum, EnumMember } from "../../../../generator/ir/contract.js";
import { breaksCode, type Subject } from "../facts/change.js";
import {
  breaksBoth,
  effectsIn,
  levelOfViolation,
  nounOf,
} from "../facts/effects.js";
import { nameOf } from "../facts/names.js";
import { type Pair, pairBy, type Pairing } from "../facts/pairing.js";
import type { BreakingRules } from "../facts/rule.js";

/** Rules about the members of enums. On the wire, a member is its text. */
export const enumRules = {
  "enum-value-no-delete": ({ enums }) =>
    enums.flatMap((pair) =>
      pairMembers(pair).removed.map((member) => ({
        effects: {
          ...effectsIn(pair.flow, { narrower: levelOfViolation(pair.flow) }),
          ...breaksCode,
        },
        message: `value \`${member.name}\` of ${nameOf(pair.subjects.after)} was removed`,
        before: subjectOf(pair.before, member),
        after: pair.subjects.after,
        path: pair.path,
        help: "keep it until nothing sends it anymore",
      })),
    ),

  "enum-value-added": ({ enums }) =>
    enums.flatMap((pair) =>
      pairMembers(pair).added.map((member) => ({
        effects: effectsIn(
          pair.flow,
          { wider: levelOfViolation(pair.flow) },
          { wider: "danger" },
        ),
        message: `value \`${member.name}\` of ${nameOf(pair.subjects.after)} is new in ${nounOf[pair.flow]}`,
        before: pair.subjects.before,
        after: subjectOf(pair.after, member),
        path: pair.path,
        help: "use an alias of `string` with `+ known = …` for an enum that may grow",
      })),
    ),

  "enum-value-same-json": ({ enums }) =>
    enums.flatMap((pair) =>
      pairMembers(pair)
        .kept.filter(
          ({ before, after }) => before.jsonValue !== after.jsonValue,
        )
        .map(({ before, after }) => ({
          effects: { ...effectsIn(pair.flow, breaksBoth), ...breaksCode },
          message: `\`${pair.after.name}.${after.name}\` was ${codeOf(JSON.stringify(before.jsonValue))} on the wire and is now ${codeOf(JSON.stringify(after.jsonValue))}`,
          before: subjectOf(pair.before, before),
          after: subjectOf(pair.after, after),
          path: pair.path,
          help: "add a value for the new text, and keep this one",
        })),
    ),

  // Code uses the names of members, regardless of their values.
  "enum-member-same-name": ({ types }) =>
    types.kept.flatMap(({ before, after }) => {
      if (before.kind !== "enum" || after.kind !== "enum") return [];
      return pairMembers({ before, after })
        .kept.filter((member) => member.before.name !== member.after.name)
        .map((member) => ({
          effects: breaksCode,
          message: `\`${before.name}.${member.before.name}\` was renamed to \`${member.after.name}\``,
          before: subjectOf(before, member.before),
          after: subjectOf(after, member.after),
          help: "keep the name: only the value is on the wire",
        }));
    }),
} satisfies BreakingRules;

/**
 * Pairs the members of two enums by their values on the wire, then by name.
 * Several members can have the same value, so those that also have the same
 * name come first. A removed member whose value another member still has counts
 * as renamed to that member, and a new name for an existing value as no change.
 */
function pairMembers({ before, after }: Pair<Enum>): Pairing<EnumMember> {
  const same = pairBy(
    before.members,
    after.members,
    ({ jsonValue, name }) => `${name}=${jsonValue}`,
  );
  const byWire = pairBy(same.removed, same.added, ({ jsonValue }) => jsonValue);
  const byName = pairBy(byWire.removed, byWire.added, ({ name }) => name);
  const [old, current] = [byValue(before), byValue(after)];
  const merged = byName.removed.flatMap((removed) => {
    const other = current.get(removed.jsonValue);
    return other === undefined ? [] : [{ before: removed, after: other }];
  });
  return {
    removed: byName.removed.filter(({ jsonValue }) => !current.has(jsonValue)),
    added: byName.added.filter(({ jsonValue }) => !old.has(jsonValue)),
    kept: [...same.kept, ...byWire.kept, ...byName.kept, ...merged],
  };
}

function byValue({ members }: Enum): ReadonlyMap<string, EnumMember> {
  return new Map(members.map((each) => [each.jsonValue, each]));
}

function subjectOf(owner: Enum, { name }: EnumMember): Subject {
  return { kind: "member", type: owner.name, name };
}
