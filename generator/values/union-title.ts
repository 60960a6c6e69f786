import type { Union } from "../ir/contract.js";
import type { JsonKind } from "../ir/variant-shape.js";
import type { ContractValues } from "./value.js";
import { variantsOf } from "./variants.js";

/** Maximum number of values, fields or variants that a title lists. */
export const maxListed = 12;

/** Describes a value of a union by the kinds of JSON values, or by its tag. */
export function unionTitle(scope: ContractValues, union: Union): string {
  if (union.tag !== null) return "an object";
  const variants = variantsOf(scope)(union);
  const { choice } = union;
  if (choice.length > 0)
    return `an object with exactly one of ${listed(choice.map(quote), ", ")}`;
  const titles = variants.map(({ kinds, marks }) => {
    const [kind, ...others] = kinds;
    if (kind === undefined || others.length > 0)
      return [...kinds].map(kindTitle).join(" or ");
    return marks.length === 0
      ? kindTitle(kind)
      : `${kindTitle(kind)} with ${listed(
          marks.map(({ name }) => quote(name)),
          " and ",
        )}`;
  });
  return eitherOf([...new Set(titles)]);
}

/** Joins texts. If there are many, only the first ones. */
function listed(texts: readonly string[], separator: string): string {
  const rest = texts.length - maxListed;
  const shown = texts.slice(0, maxListed).join(separator);
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Joins titles, e.g. `a string, a list or a number`. */
function eitherOf(titles: readonly string[]): string {
  if (titles.length > maxListed) return listed(titles, ", ");
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

function quote(text: string): string {
  return JSON.stringify(text);
}
