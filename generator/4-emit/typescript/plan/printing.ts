import { isPlainPattern, isPlainText } from "./plain-text.js";
import type { Printing, Value } from "./plan.js";
import { structIn } from "./struct-in.js";

/** How the JSON of a value is put together. */
export function printingOf(value: Value): Printing {
  switch (value.kind) {
    case "struct":
      return { kind: "struct", type: value.type };
    case "list":
    case "map": {
      if (structIn(value) === null) return { kind: "any" };
      const held = value.kind === "list" ? value.element : value.value;
      return { kind: value.kind, each: printingOf(held) };
    }
    case "bytes":
      return { kind: "quoted" };
    case "enum": {
      const values = value.type.declaration.members;
      const isPlain = values.every(({ jsonValue }) => isPlainText(jsonValue));
      return { kind: isPlain ? "quoted" : "escaped" };
    }
    case "scalar": {
      // Text that may be a number.
      if (value.acceptsInteger) return { kind: "any" };
      const { writing } = value.form;
      const { pattern } = value.limits;
      return writing === "escaped" && isPlainPattern(pattern ?? "")
        ? { kind: "quoted" }
        : { kind: writing };
    }
  }
}
