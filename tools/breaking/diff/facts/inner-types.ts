import type {
  Enum,
  Struct,
  TypeReference,
} from "../../../../generator/ir/contract.js";
import type { WireValue } from "./value.js";

/** A type inside a value. */
export interface InnerType {
  readonly type: TypeReference;
  readonly part: "element" | "key" | "value";
  /** How a path continues there. */
  readonly step: string;
}

/** Returns the types inside a list or map. */
export function partsOf({ value }: WireValue): readonly InnerType[] {
  switch (value.kind) {
    case "bytes":
    case "list":
      return [{ type: value.element, part: "element", step: "[]" }];
    case "map":
      return [
        { type: value.key, part: "key", step: "{key}" },
        { type: value.held, part: "value", step: "{}" },
      ];
    case "scalar":
    case "enum":
    case "struct":
    case "union":
      return [];
  }
}

/** Returns the declaration that describes a value, or null. */
export function declarationOf({ value }: WireValue): Struct | Enum | null {
  switch (value.kind) {
    case "enum":
    case "struct":
      return value.declaration;
    case "scalar":
    case "bytes":
    case "list":
    case "map":
    case "union":
      return null;
  }
}
