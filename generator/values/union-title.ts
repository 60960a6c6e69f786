import type { Union } from "../ir/contract.js";
import type { JsonKind } from "../ir/variant-shape.js";
import type { ContractValues } from "./value.js";
import { variantsOf } from "./variants.js";

/** Describes a value of a union by the kinds of JSON values, or by its tag. */
export function unionTitle(scope: ContractValues, union: Union): string {
  if (union.tag !== null) return "an object";
  const variants = variantsOf(scope)(union);
  const { choice } = union;
  if (choice.length > 0)
    return `an object with exactly one of ${choice.map((name) => JSON.stringify(name)).join(", ")}`;
  const titles = variants.map(({ kinds, marks }) => {
    const [kind, ...others] = kinds;
    if (kind === undefined || others.length > 0)
      return [...kinds].map(kindTitle).join(" or ");
    return marks.length === 0
      ? kindTitle(kind)
      : `${kindTitle(kind)} with ${quoteAll(marks.map(({ name }) => name))}`;
  });
  return eitherOf([...new Set(titles)]);
}

/** Joins titles, e.g. `a string, a list or a number`. */
function eitherOf(titles: readonly string[]): string {
  const last = titles.at(-1) ?? "nothing at all";
  const others = titles.slice(0, -1).join(", ");
  return others === "" ? last : `${others} or ${last}`;
}

function kindTitle(kind: JsonKind): string {
  switch (kind) {
    case "array":
      return "a list";
    case "null":
      return "null";
    case "object":
      return "an object";
    case "boolean":
    case "number":
    case "string":
      return `a ${kind}`;
  }
}

function quoteAll(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(" and ");
}
