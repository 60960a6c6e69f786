import type { ChangeEffect } from "../facts/change.js";
import { effectsIn, levelOfViolation, nounOf } from "../facts/effects.js";
import { type Exclusion, findExclusions } from "../facts/extra-members.js";
import { nameOf } from "../facts/names.js";
import type { ObjectPair } from "../facts/paired-contracts.js";
import { swap } from "../facts/pairing.js";
import type { BreakingRules } from "../facts/rule.js";

/** The rule about members that become or were extra members. */
export const extraMemberRules = {
  "extra-members-no-exclude": ({ objects }) =>
    objects
      // No one reads the responses to webhooks.
      .filter(({ flow }) => flow !== "receipt")
      .flatMap((object) => [
        ...describeExclusions(object, "narrower"),
        ...describeExclusions(
          { ...object, members: swap(object.members) },
          "wider",
        ),
      ]),
} satisfies BreakingRules;

/** Input: the writer's members as `before`, and the reader's as `after`. */
function describeExclusions(
  { flow, members, path, subjects }: ObjectPair,
  shift: "narrower" | "wider",
): readonly ChangeEffect[] {
  const { after: reader, before: writer } = members;
  const subject = reader.extra?.subject;
  if (subject === undefined) return [];
  const isNew = shift === "narrower";
  return findExclusions(writer, reader).map((found) => ({
    effects: effectsIn(flow, { [shift]: levelOfViolation(flow) }),
    message: isNew
      ? `${nameOf(subject)} ${describe(found, "does not allow")}, which old ${nounOf[flow]} can have`
      : `${nameOf(subject)} ${describe(found, "did not allow")}, which new ${nounOf[flow]} can have`,
    before: isNew ? subjects.before : subject,
    after: isNew ? subject : subjects.after,
    path,
    help: adviceFor(found),
  }));
}

function describe(found: Exclusion, verb: string): string {
  if (found.kind === "name") return `${verb} the member \`${found.name}\``;
  const { count } = found;
  return `${verb} ${count} extra member${count === 1 ? "" : "s"}`;
}

function adviceFor({ kind }: Exclusion): string {
  if (kind === "name") return "allow the name in the limits of the map's keys";
  return `loosen \`${kind === "few" ? "minProperties" : "maxProperties"}\``;
}
