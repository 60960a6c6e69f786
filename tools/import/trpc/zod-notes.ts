import { isRecord } from "../../../generator/ir/is-record.js";
import { describeFormat } from "../map/types/scalar-types.js";
import type { NoteLevel } from "../notes/note.js";
import {
  callMember,
  type JsonMap,
  listOf,
  readMember,
} from "./schemas/members.js";
import {
  bigintSchema,
  dateSchema,
  librarySchema,
} from "./schemas/library-types.js";
import {
  notesKeyword,
  type ParserSide,
  type SchemaNote,
} from "./schemas/schema-note.js";

/**
 * Returns the function that Zod calls for each schema that it converted. It adds
 * what JSON Schema does not say, as types that RIDL has and as notes.
 */
export function describeZod(
  hasTransformer: boolean,
  side: ParserSide,
): (found: { zodSchema: unknown; jsonSchema: unknown }) => void {
  return ({ zodSchema, jsonSchema }) => {
    if (!isRecord(jsonSchema)) return;
    addMetadata(zodSchema, jsonSchema);
    const definition = readMember(readMember(zodSchema, "_zod"), "def");
    const type = String(readMember(definition, "type"));
    const found = scalarOf(type, definition, hasTransformer, side);
    Object.assign(jsonSchema, found.schema);
    const notes = [
      ...found.notes,
      ...noteParts(type, definition, side),
      ...noteChecks(type, definition),
      ...noteFormat(jsonSchema),
    ];
    if (notes.length === 0) return;
    // Zod copies the schema of an inner type, so the list can be shared.
    const known = listOf(readMember(jsonSchema, notesKeyword)).filter(
      (each): each is SchemaNote => Array.isArray(each),
    );
    const all = new Map([...known, ...notes].map((note) => [note[1], note]));
    Object.assign(jsonSchema, { [notesKeyword]: [...all.values()] });
  };
}

/**
 * Adds the descriptions of a schema. Zod does so itself, unless another copy of it
 * converts the schema, such as its CommonJS form.
 */
function addMetadata(zodSchema: unknown, jsonSchema: JsonMap): void {
  const metadata = callMember(zodSchema, "meta");
  for (const key of ["description", "title", "id", "deprecated"]) {
    const value = readMember(metadata, key);
    if (value === undefined || Object.hasOwn(jsonSchema, key)) continue;
    Object.assign(jsonSchema, { [key]: value });
  }
}

/** Types that JSON Schema does not have. */
function scalarOf(
  type: string,
  definition: unknown,
  hasTransformer: boolean,
  side: ParserSide,
): { readonly schema: object; readonly notes: readonly SchemaNote[] } {
  const isCoerced = readMember(definition, "coerce") === true;
  const lost = (level: NoteLevel, what: string, instead: string) => ({
    schema: {},
    notes: [[level, what, instead] as const],
  });
  const isEncoded = hasTransformer || (isCoerced && side === "input");
  switch (type) {
    case "date":
      return dateSchema(isEncoded, side);
    case "bigint":
      return bigintSchema(isEncoded);
    case "map":
    case "set":
      return librarySchema(type === "map" ? "Map" : "Set");
    case "file":
      return lost("wire", "RIDL has files only in forms", "it is a string");
    case "undefined":
    case "void":
    case "nan":
    case "symbol":
    case "function":
      return lost("value", `JSON has no \`${type}\``, any);
    case "custom":
      return lost("value", "a custom check has no JSON Schema", any);
    case "transform":
      return lost("value", "the type after a transform is not known", any);
    default:
      return { schema: {}, notes: [] };
  }
}

const any = "any value is accepted";

/** Notes what a schema does to values before it checks them, or afterwards. */
function noteParts(
  type: string,
  definition: unknown,
  side: ParserSide,
): readonly SchemaNote[] {
  const typeOf = (key: string): unknown =>
    readMember(
      readMember(readMember(readMember(definition, key), "_zod"), "def"),
      "type",
    );
  const isInput = side === "input";
  if (type === "pipe" && isInput) {
    if (typeOf("in") === "transform") {
      const message = "`z.preprocess` changes values before they are checked";
      return [["value", message, "values are checked as they are sent"]];
    }
    if (typeOf("out") === "transform") {
      const message = "a transform changes the value";
      return [["advice", message, "transform it in the handler"]];
    }
  }
  if (type === "catch" && isInput) {
    return [
      ["value", "`catch` accepts every value", "other values are errors"],
    ];
  }
  if (readMember(definition, "coerce") === true && isInput) {
    const message = "`z.coerce` also accepts values of other types";
    return [["value", message, "only values of this type are accepted"]];
  }
  return [];
}

const inHandler = "check it in the handler";

/** Notes checks that JSON Schema does not have. */
function noteChecks(type: string, definition: unknown): readonly SchemaNote[] {
  const checks = listOf(readMember(definition, "checks")).map((check) =>
    readMember(readMember(check, "_zod"), "def"),
  );
  const all = type === "string" ? [definition, ...checks] : checks;
  return all.flatMap((check): readonly SchemaNote[] => {
    const kind = readMember(check, "check");
    const { flags = "" } = asPattern(readMember(check, "pattern"));
    if (/[ims]/u.test(flags)) {
      const message = `the pattern has the flags \`${flags}\`, which RIDL does not have`;
      return [["value", message, "the pattern has no flags"]];
    }
    if (kind === "custom") {
      return [["value", "a refinement has no JSON Schema", inHandler]];
    }
    if (kind === "overwrite") {
      const message =
        "the value is changed before it is checked, e.g. by `trim`";
      return [["value", message, "the value is checked as it is sent"]];
    }
    const isSize = kind === "greater_than" || kind === "less_than";
    return isSize && (type === "date" || type === "bigint")
      ? [["value", `a limit of \`${type}\` has no JSON Schema`, inHandler]]
      : [];
  });
}

function asPattern(value: unknown): { readonly flags?: string } {
  return value instanceof RegExp ? value : {};
}

/** Zod checks formats that RIDL only knows with a pattern. */
function noteFormat(schema: object): readonly SchemaNote[] {
  const format = readMember(schema, "format");
  const isChecked =
    typeof format !== "string" ||
    readMember(schema, "type") !== "string" ||
    readMember(schema, "pattern") !== undefined ||
    readMember(schema, "allOf") !== undefined ||
    ["date-time", "binary"].includes(format);
  if (isChecked) return [];
  Reflect.deleteProperty(schema, "format");
  return [["value", describeFormat(format), "every string is accepted"]];
}
