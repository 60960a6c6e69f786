import type { Meta, ModelField, ModelType } from "../../model/model.js";
import { type NameScope, toPascal } from "../../model/names.js";

/** Limits that often enough repeat together get a name. */
const often = 3;

const limits: ReadonlySet<string> = new Set(
  "pattern minLength maxLength minimum maximum minItems maxItems uniqueItems".split(
    " ",
  ),
);

/**
 * Declares an alias for limits that repeat in fields of the same name and type,
 * e.g. `type PageSize: uint` with `+ maximum = 100`.
 */
export function gatherAliases(
  types: readonly ModelType[],
  names: NameScope,
): readonly ModelType[] {
  const groups = new Map<string, ModelField[]>();
  for (const { body } of types) {
    if (body.kind !== "struct") continue;
    for (const field of body.fields) {
      const key = keyOf(field);
      if (key === null) continue;
      const group = groups.get(key);
      if (group) group.push(field);
      else groups.set(key, [field]);
    }
  }
  const aliases = new Map<string, ModelType>();
  for (const [key, [field, ...others]] of groups) {
    if (field === undefined || others.length + 1 < often) continue;
    const name = names.take(toPascal(field.name) || "Value");
    const { type, part } = field;
    const metadata = field.metadata.filter(isLimit);
    const body = { kind: "alias", type, metadata } as const;
    aliases.set(key, { name, part, docs: [], body });
  }
  for (const { body } of types) {
    if (body.kind !== "struct") continue;
    body.fields = body.fields.map((field) => {
      const alias = aliases.get(keyOf(field) ?? "");
      if (alias === undefined) return field;
      const metadata = field.metadata.filter((each) => !isLimit(each));
      return { ...field, type: alias.name, metadata };
    });
  }
  return [...types, ...aliases.values()];
}

function isLimit({ key }: Meta): boolean {
  return limits.has(key);
}

/** Returns what fields of the same alias have in common. */
function keyOf({ name, type, metadata }: ModelField): string | null {
  const own = metadata.filter(isLimit);
  // A list of values, or a union, is more than its limits.
  const isOther = metadata.some(({ key }) => key === "enum" || key === "oneOf");
  return own.length === 0 || isOther
    ? null
    : JSON.stringify([toPascal(name), type, own]);
}
