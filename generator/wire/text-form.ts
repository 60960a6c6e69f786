import type { Field } from "../ir/contract.js";
import { scalars } from "../ir/scalars.js";
import type { ContractValues, ResolvedValue } from "../values/value.js";

/** How a value is written where there is only text: in an address or a header. */
export interface TextForm {
  /** Whether the value is a list, whose items are written one by one. */
  readonly isList: boolean;
  /** `text`: as it is. `json`: a number, a boolean or null, as in JSON. */
  readonly writing: "text" | "json";
}

/** Returns how a field is written in an address or a header. */
export function textFormOf(
  values: ContractValues,
  { type }: Pick<Field, "type">,
): TextForm {
  const value = values.valueOf(type);
  return value.kind === "list"
    ? { isList: true, writing: writingOf(values.valueOf(value.element)) }
    : { isList: false, writing: writingOf(value) };
}

function writingOf(value: ResolvedValue): TextForm["writing"] {
  switch (value.kind) {
    case "scalar":
      return scalarWritings[scalars[value.scalar].wire];
    case "bytes":
    case "enum":
      return "text";
    // Only forms contain these values, as pairs of their parts.
    case "list":
    case "map":
    case "struct":
    case "union":
      return "text";
  }
}

const scalarWritings = {
  any: "text",
  boolean: "json",
  file: "text",
  null: "json",
  number: "json",
  string: "text",
} as const;
