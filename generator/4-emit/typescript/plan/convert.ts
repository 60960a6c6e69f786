import { enumValuesOf } from "../../../values/allowed-values.js";
import { invariant } from "../../../ir/invariant.js";
import type { Doc } from "../text/format.js";
import { quoteIndex, quoteString } from "../text/quote.js";
import {
  callOf,
  callWithArrow,
  conditionalOf,
  withKey,
} from "../text/shapes.js";
import type { FileScope } from "./file-scope.js";
import type { Imports } from "./imports.js";
import { isPlainPattern, isPlainText } from "./plain-text.js";
import type {
  Composite,
  FieldPlan,
  MessagePlan,
  ObjectPlan,
  StructPlan,
  Value,
} from "./plan.js";
import type { JsonQuoting } from "./scalars.js";
import { compositeIn } from "./values.js";

/** The file that contains the code. */
type ConvertScope = Pick<FileScope, "imports" | "plan" | "unit">;

type Verb = "decode" | "encode";

/** Returns the predicate of values that can be read as an object. */
export function objectPredicate(
  imports: Imports,
  { fields }: ObjectPlan,
): string {
  const isEmpty = fields.every(({ field }) => field.isOptional);
  return imports.runtime("validation", isEmpty ? "isStruct" : "isRecord");
}

/** Prints an access to a record's property. Ignores inherited properties. */
export function readOf(
  imports: Imports,
  record: string,
  { field, isInherited }: FieldPlan,
): string {
  const { jsonName } = field;
  if (!isInherited) return record + quoteIndex(jsonName);
  const ownValue = imports.runtime("validation", "ownValue");
  return `${ownValue}(${record}, ${quoteString(jsonName)})`;
}

/**
 * Returns the name of a message's check, or the text `null` if the message has
 * no fields.
 */
export function checkOf(imports: Imports, { object }: MessagePlan): string {
  return object.fields.length === 0
    ? "null"
    : imports.generated(object.unit, "validators", `check${object.name}`);
}

/** Prints the conversion of a value, item by item for lists and maps. */
export function convertedBy(
  place: ConvertScope,
  verb: Verb,
  value: Value,
  code: Doc,
): Doc {
  const name = converterOf(place, verb, value);
  if (name !== null) return callOf(name, [code]);
  if (value.kind !== "list" && value.kind !== "map") return code;
  const { held, kind } = value;
  const maker = `${verb}${kind === "list" ? "List" : "Record"}`;
  const callee = place.imports.runtime("codegen/codec", maker);
  const each = held.isNullable ? null : converterOf(place, verb, held);
  if (each !== null) return callOf(callee, [code, each]);
  const item = convertedBy(place, verb, held, "item");
  return callForEach(callee, [code], held, item, "null");
}

/**
 * Prints a call with a function that converts `item`. If the type of the items
 * allows null, the function converts null to `nothing`.
 */
function callForEach(
  callee: string,
  args: readonly Doc[],
  { isNullable }: Value,
  converted: Doc,
  nothing: string,
): Doc {
  const body = isNullable
    ? conditionalOf("item === null", nothing, converted)
    : converted;
  return callWithArrow(callee, args, "item", body, isNullable);
}

/** Returns the function that converts a value, or null if there is none. */
function converterOf(
  { imports, unit }: ConvertScope,
  verb: Verb,
  value: Value,
): string | null {
  if (value.kind === "struct" || value.kind === "union")
    return functionOf(imports, verb, value.type);
  const name = unit.needs.conversionOf(value)[verb];
  return name === null ? null : imports.runtime("codegen/codec", name);
}

/** Returns the function of a composite, e.g. `readOrder`. */
export function functionOf(
  imports: Imports,
  verb: Verb | "read" | "print",
  { name, unit }: Composite,
): string {
  const file = verb === "print" ? "printers" : "codecs";
  return imports.generated(unit, file, verb + name);
}

/**
 * Prints entries of a table of readers. The readers of `missing` structs
 * are declared later in the file.
 */
export function readerEntries(
  place: ConvertScope,
  { fields }: ObjectPlan,
  missing: ReadonlySet<ObjectPlan>,
): readonly Doc[] {
  const readers = new Readers(place, missing);
  return fields.flatMap((field) => {
    const reader = readers.ofField(field);
    if (reader === null) return [];
    const { jsonName } = field.field;
    return [withKey(jsonName, (key) => [`${key}: `, reader.code])];
  });
}

/** Prints a call that reads a value, or null if nothing needs to be read. */
export function readWith(
  place: ConvertScope,
  value: Value,
  code: string,
): Doc | null {
  if (!place.unit.needs.of(value).guards) return null;
  const reader = new Readers(place, new Set()).of(value);
  return callOf(reader.code, [code]);
}

interface Reader {
  readonly code: Doc;
  /** A call to a reader that is declared later, in case of a cycle. */
  readonly late: string | null;
}

class Readers {
  readonly #imports: ConvertScope["imports"];
  readonly #needs: ConvertScope["unit"]["needs"];
  readonly #missing: ReadonlySet<ObjectPlan>;

  constructor(
    { imports, unit }: ConvertScope,
    missing: ReadonlySet<ObjectPlan>,
  ) {
    this.#imports = imports;
    this.#needs = unit.needs;
    this.#missing = missing;
  }

  /**
   * Returns the reader of a field, or null if only nulls have to be removed.
   */
  ofField({ field, isAbsentAsNull, nullAs, value }: FieldPlan): Reader | null {
    const { isNullable, isOptional } = field;
    const { guards, reads } = this.#needs.of(value);
    if (!reads && !isNullable && nullAs === null) return null;
    const each = guards ? this.of(value) : this.#runtime("same");
    if (nullAs !== null) return this.#made("nullAs", each, nullAs);
    // No part of the value has to be examined.
    const isPlain = !guards;
    const keepsNull = isNullable || (isOptional && !isAbsentAsNull);
    if (keepsNull || (isPlain && value.kind === "scalar"))
      return isPlain ? each : this.#made("nullable", each);
    return isOptional || isPlain ? this.#made("optional", each) : each;
  }

  of(value: Value): Reader {
    if (!this.#needs.of(value).reads) return this.#runtime("dropNulls");
    switch (value.kind) {
      case "struct":
        return this.#ofStruct(value.type);
      case "union": {
        const code = functionOf(this.#imports, "read", value.type);
        return { code, late: null };
      }
      case "list":
        return this.#made("readListOf", this.#ofHeld(value.held));
      case "map":
        return this.#made("readMapOf", this.#ofHeld(value.held));
      case "scalar":
      case "bytes":
      case "enum":
        return this.#runtime(this.#needs.conversionOf(value).read ?? "same");
    }
  }

  /** Returns the reader of an item of a list or map. */
  #ofHeld(value: Value): Reader {
    const { isNullable, nullAs } = value;
    if (nullAs === null && !isNullable) return this.of(value);
    const { guards } = this.#needs.of(value);
    const each = guards ? this.of(value) : this.#runtime("same");
    if (nullAs !== null) return this.#made("nullAs", each, nullAs);
    return guards ? this.#made("nullable", each) : each;
  }

  #ofStruct(type: StructPlan): Reader {
    const name = functionOf(this.#imports, "read", type);
    const late = `${name}(value)`;
    return this.#missing.has(type)
      ? { code: `(value) => ${late}`, late }
      : { code: name, late: null };
  }

  #runtime(name: string): Reader {
    return { code: this.#imports.runtime("codegen/codec", name), late: null };
  }

  #made(maker: string, { code, late }: Reader, ...before: string[]): Reader {
    const callee = this.#imports.runtime("codegen/codec", maker);
    const args = before.map((name) =>
      this.#imports.runtime("codegen/codec", name),
    );
    const call =
      late === null
        ? callOf(callee, [...args, code])
        : callWithArrow(callee, args, "value", late);
    // Marked as pure, so that bundlers can drop a table that is not used.
    return { code: ["/* @__PURE__ */ ", call], late: null };
  }
}

/**
 * Returns the function or schema that describes both forms of a value, or null
 * if the value has only one form.
 */
export function formOf(place: ConvertScope, value: Value): Doc | null {
  const { imports, unit } = place;
  switch (value.kind) {
    case "struct":
    case "union": {
      const { type } = value;
      if (!unit.needs.ofComposite(type).hasTwoForms) return null;
      const name = place.plan.names.schema(type.name);
      return imports.generated(type.unit, "schemas", name);
    }
    case "list":
    case "map": {
      const each = formOf(place, value.held);
      if (each === null) return null;
      return callOf(imports.runtime("codegen/create-schemas", "formOfEach"), [
        each,
      ]);
    }
    case "scalar":
    case "bytes":
    case "enum": {
      const { form } = unit.needs.conversionOf(value);
      return form === null
        ? null
        : imports.runtime("codegen/create-schemas", form);
    }
  }
}

/** Prints code for the JSON of the members that no field declares. */
export function jsonOfExtra(
  imports: Imports,
  { value }: FieldPlan,
  names: string,
): Doc {
  const callee = imports.runtime("codegen/printing", "jsonExtra");
  const args = ["value", names];
  invariant(value.kind === "map", "extra members are a map");
  const { held } = value;
  const composite = compositeIn(held);
  if (composite === null)
    return callOf(callee, [...args, imports.runtime("json", "stringifyJson")]);
  if ((held.kind === "struct" || held.kind === "union") && !held.isNullable)
    return callOf(callee, [...args, functionOf(imports, "print", composite)]);
  return callForEach(
    callee,
    args,
    held,
    jsonOf(imports, held, "item"),
    '"null"',
  );
}

/** Prints code for the JSON of a value, without the quotes around text. */
export function jsonOf(imports: Imports, value: Value, code: Doc): Doc {
  const composite = compositeIn(value);
  if (value.kind === "struct" || value.kind === "union") {
    return callOf(functionOf(imports, "print", value.type), [code]);
  }
  if ((value.kind === "list" || value.kind === "map") && composite !== null) {
    const { held, kind } = value;
    const name = kind === "list" ? "jsonList" : "jsonMap";
    const callee = imports.runtime("codegen/printing", name);
    if ((held.kind === "struct" || held.kind === "union") && !held.isNullable)
      return callOf(callee, [code, functionOf(imports, "print", composite)]);
    return callForEach(
      callee,
      [code],
      held,
      jsonOf(imports, held, "item"),
      '"null"',
    );
  }
  switch (writingOf(value)) {
    case "bare":
    case "quoted":
      return code;
    case "escaped":
      return [
        imports.runtime("codegen/printing", "escapeJson"),
        "(",
        code,
        ")",
      ];
    case "any":
      return [imports.runtime("json", "stringifyJson"), "(", code, ")"];
  }
}

/** Returns how JSON represents a value that contains no composite. */
export function writingOf(value: Value): JsonQuoting {
  switch (value.kind) {
    case "struct":
    case "list":
    case "map":
    case "union":
      return "any";
    case "bytes":
      return "quoted";
    case "enum": {
      const isPlain = enumValuesOf(value.resolved).every(isPlainText);
      return isPlain ? "quoted" : "escaped";
    }
    case "scalar": {
      // The text can be a number.
      if (value.resolved.acceptsInteger) return "any";
      const { writing } = value.form;
      const isPlain =
        value.allowed?.every((each) => isPlainText(String(each))) ??
        isPlainPattern(value.limits.pattern ?? "");
      return writing === "escaped" && isPlain ? "quoted" : writing;
    }
  }
}
