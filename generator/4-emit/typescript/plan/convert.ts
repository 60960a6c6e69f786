import type { Doc } from "../text/format.js";
import { callOf, callWithArrow, keyedOf } from "../text/shapes.js";
import type { Imports } from "./imports.js";
import type {
  Converter,
  FieldReader,
  ObjectPlan,
  Printing,
  Reader,
  StructPlan,
} from "./plan.js";

/** A value, converted: lists and maps item by item. */
export function convertedBy(
  imports: Imports,
  verb: "decode" | "encode",
  converter: Converter,
  value: Doc,
): Doc {
  const name = functionOf(imports, verb, converter);
  if (name !== null) return callOf(name, [value]);
  if (converter.kind === "runtime" || converter.kind === "struct") return value;
  const callee = imports.runtime(
    "codec",
    `${verb}${converter.kind === "list" ? "List" : "Record"}`,
  );
  const each = functionOf(imports, verb, converter.each);
  if (each !== null) return callOf(callee, [value, each]);
  const item = convertedBy(imports, verb, converter.each, "item");
  return callWithArrow(callee, [value], "item", item);
}

/** Function that converts a value; null for lists and maps, which have none. */
function functionOf(
  imports: Imports,
  verb: "decode" | "encode",
  converter: Converter,
): string | null {
  switch (converter.kind) {
    case "runtime":
      return imports.runtime("codec", converter.name);
    case "struct": {
      const { name, unit } = converter.type;
      return imports.generated(unit, "codecs", verb + name);
    }
    case "list":
    case "map":
      return null;
  }
}

/**
 * Entries of a table of readers.
 *
 * Input: structs whose readers stand only below.
 */
export function readerEntries(
  imports: Imports,
  fields: readonly FieldReader[],
  missing: ReadonlySet<ObjectPlan>,
): readonly Doc[] {
  return fields.map(({ name, read }) =>
    keyedOf(name, (key) => [`${key}: `, readerOf(imports, read, missing)]),
  );
}

function readerOf(
  imports: Imports,
  reader: Reader,
  missing: ReadonlySet<ObjectPlan>,
): Doc {
  switch (reader.kind) {
    case "runtime":
      return imports.runtime("codec", reader.name);
    case "struct": {
      const { name, unit } = reader.type;
      const local = imports.generated(unit, "codecs", `read${name}`);
      // Types may hold each other.
      return missing.has(reader.type) ? `(value) => ${local}(value)` : local;
    }
    case "list":
    case "map":
    case "nullable":
    case "optional":
    case "filled": {
      const callee = imports.runtime("codec", makers[reader.kind]);
      const { each } = reader;
      const first =
        reader.kind === "filled"
          ? [imports.runtime("codec", reader.nullAs)]
          : [];
      const held = readerOf(imports, each, missing);
      const isBelow = each.kind === "struct" && missing.has(each.type);
      const call = isBelow
        ? callWithArrow(callee, first, "value", `read${each.type.name}(value)`)
        : callOf(callee, [...first, held]);
      // Marked, because a table that is not used stays in a bundle as long as
      // something in it looks as if it did something.
      return ["/* @__PURE__ */ ", call];
    }
  }
}

const makers = {
  list: "listOf",
  map: "recordOf",
  nullable: "nullable",
  optional: "optional",
  filled: "nullAs",
} as const;

/**
 * The JSON of a value that is there, without the quotes around text.
 *
 * Output: e.g. `jsonList(value.orders, printOrder)`.
 */
export function jsonOf(
  imports: Imports,
  printing: Printing,
  value: string,
): Doc {
  switch (printing.kind) {
    case "bare":
    case "quoted":
      return value;
    case "escaped":
      return `${imports.runtime("printing", "escapeJson")}(${value})`;
    case "any":
      return `${imports.runtime("json", "stringifyJson")}(${value})`;
    case "struct":
      return callOf(printerOf(imports, printing.type), [value]);
    case "list":
    case "map": {
      const { each } = printing;
      const name = printing.kind === "list" ? "jsonList" : "jsonMap";
      const callee = imports.runtime("printing", name);
      return each.kind === "struct"
        ? callOf(callee, [value, printerOf(imports, each.type)])
        : callWithArrow(callee, [value], "item", jsonOf(imports, each, "item"));
    }
  }
}

/** The function that prints a struct. */
function printerOf(imports: Imports, { name, unit }: StructPlan): string {
  return imports.generated(unit, "printers", `print${name}`);
}
