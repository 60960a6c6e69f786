import { isBytes } from "../../../ir/bytes.js";
import type {
  Constraints,
  Field,
  TypeReference,
} from "../../../ir/contract.js";
import { bytesTitle, enumTitle, limitsTitle, scalarTitle } from "./titles.js";
import type { TypeContext } from "../types/type-text.js";

type Indexed = Pick<TypeContext, "index">;

/** What a field or alias is of; a core type is of itself. */
export function targetOf(
  { index }: Indexed,
  subject: Field | TypeReference,
): TypeReference {
  if (subject.kind === "field") return subject.type;
  if (subject.kind !== "reference") return subject;
  const type = index.type(subject.name);
  return type.kind === "alias" ? type.type : subject;
}

/** Limits that a field or alias puts on top of those of its type. */
export function ownConstraints(
  { index }: Indexed,
  subject: Field | TypeReference,
): Constraints {
  if (subject.kind === "field") return subject.constraints;
  if (subject.kind !== "reference") return {};
  const type = index.type(subject.name);
  return type.kind === "alias" ? type.constraints : {};
}

/** What a value is called in a failure. */
export function titleOf(
  context: Indexed,
  subject: Field | TypeReference,
): string {
  const { index } = context;
  const reference = subject.kind === "field" ? subject.type : subject;
  if (isBytes(index, reference))
    return bytesTitle(index.constraintsOf(subject));
  const given = givenTitle(context, subject);
  if (given !== null) return given;
  const resolved = index.resolve(reference);
  if (resolved.kind === "scalar") {
    return scalarTitle(resolved.name, index.constraintsOf(subject));
  }
  if (resolved.kind !== "reference") return resolved.kind;
  const type = index.type(resolved.name);
  return type.kind === "enum" ? enumTitle(type) : "an object";
}

/** A title that the schema gives, with the limits that are put on top of it. */
function givenTitle(
  { index }: Indexed,
  subject: Field | TypeReference,
): string | null {
  const reference = subject.kind === "field" ? subject.type : subject;
  const aliases = index.aliasesFrom(reference);
  const at = aliases.findIndex(({ title }) => title !== null);
  const title = aliases[at]?.title ?? null;
  if (title === null) return null;
  // The field's, if there is one, and those of the aliases above.
  const limits = index.constraintsAlong(subject).slice(0, at + 1);
  return [title, ...limits.reverse().map(limitsTitle)].join("");
}
