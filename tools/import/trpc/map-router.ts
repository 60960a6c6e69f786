import { toComment } from "../model/comments.js";
import type {
  MappedType,
  Meta,
  Model,
  ModelArgument,
  ModelField,
  ModelMessage,
  ModelMethod,
  ModelService,
} from "../model/model.js";
import { nameOfValue, toPascal, wordsOf } from "../model/names.js";
import { gatherAliases } from "../map/types/gather-aliases.js";
import { TypeMapper } from "../map/types/type-mapper.js";
import type { NoteLog } from "../notes/note.js";
import type { DocumentFiles } from "../read/document-files.js";
import type { DocumentPart } from "../read/document-part.js";
import type { NamedProcedure } from "./name-procedures.js";

/** More arguments than these are a struct. */
const maxArguments = 4;

/**
 * Maps a document with the schemas and the procedures of a router. Input: the
 * name of the API.
 */
export function mapRouter(
  document: DocumentPart,
  names: readonly NamedProcedure[],
  name: string,
  library: DocumentFiles,
  notes: NoteLog,
): Model {
  const types = new TypeMapper(document, library, notes);
  const schemas = document.get("schemas")?.entries() ?? [];
  types.reserve(schemas);
  const mapper = new ProcedureMapper(types);
  const services = new Map<string, ModelService & { methods: ModelMethod[] }>();
  const procedures = document.get("procedures")?.entries() ?? [];
  procedures.forEach((part, index) => {
    const named = names[index];
    if (named === undefined) return;
    const key = named.service.toLowerCase();
    const service = services.get(key) ?? {
      name: named.service,
      docs: [],
      methods: [],
    };
    services.set(key, service);
    service.methods.push(mapper.map(part, named));
  });
  for (const schema of schemas) types.declare(schema, "Type");
  return {
    docs: [],
    name: wordsOf(name).join("-").toLowerCase() || "app",
    version: "v0.0.1",
    types: gatherAliases(types.types, types.names),
    errors: [],
    hosts: [{ suffix: "", base: null, services: [...services.values()] }],
  };
}

/** A message before it becomes arguments or a struct. */
interface DraftMessage {
  readonly fields: readonly ModelField[];
  /** The struct with these fields, if there is one. */
  readonly struct: string | null;
}

const none: DraftMessage = { fields: [], struct: null };

class ProcedureMapper {
  readonly #types: TypeMapper;
  /** Aliases of limits by their names and limits. */
  readonly #aliases = new Map<string, string>();

  constructor(types: TypeMapper) {
    this.#types = types;
  }

  map(part: DocumentPart, { method, hint }: NamedProcedure): ModelMethod {
    const input = this.#input(part, hint);
    const output = this.#output(part, hint);
    const kind = part.textOf("kind");
    const isPlain = [input, output].every(
      ({ fields }) =>
        fields.length <= maxArguments && fields.every(isPlainField),
    );
    const isDeprecated = part.get("deprecated")?.isTrue === true;
    return {
      name: method,
      docs: toComment(part.textOf("description")),
      annotations: [
        ...(kind === "query" ? ["@readonly"] : []),
        ...(isDeprecated ? ["@deprecated"] : []),
      ],
      input: isPlain
        ? this.#arguments(input, hint)
        : this.#struct(input, `${hint}Request`, part),
      output: isPlain
        ? this.#arguments(output, hint)
        : this.#struct(output, `${hint}Response`, part),
      isStream: kind === "subscription",
      errors: [],
      part,
    };
  }

  #input(part: DocumentPart, hint: string): DraftMessage {
    const schema = part.get("input");
    if (schema === null || isEmptyObject(schema)) return none;
    const isOptional = part.get("optional")?.isTrue === true;
    const mapped = this.#types.map(schema, `${hint}Request`);
    const struct = this.#types.structOf(mapped.type);
    const canBeAbsent = (struct?.body.fields ?? []).every(
      (field) => field.isOptional,
    );
    const isWhole =
      struct !== null &&
      !struct.body.fields.some(isExtra) &&
      mapped.metadata.length === 0 &&
      (!isOptional || canBeAbsent);
    if (isWhole) return { fields: struct.body.fields, struct: mapped.type };
    return this.#single("input", mapped, isOptional, schema);
  }

  #output(part: DocumentPart, hint: string): DraftMessage {
    const schema = part.get("output");
    if (schema === null || isEmptyObject(schema)) return none;
    const mapped = this.#types.map(schema, `${hint}Response`);
    const struct = this.#types.structOf(mapped.type);
    const isInline =
      struct !== null &&
      struct.part.id === schema.id &&
      !struct.body.fields.some(isExtra) &&
      mapped.metadata.length === 0;
    if (isInline) return { fields: struct.body.fields, struct: mapped.type };
    const name = nameOfValue(mapped.type, "result");
    return this.#single(name, mapped, false, schema);
  }

  /** A value that is no object is one argument. Null is an absent one. */
  #single(
    name: string,
    { metadata, type }: MappedType,
    isOptional: boolean,
    part: DocumentPart,
  ): DraftMessage {
    const limits = metadata.filter(({ key }) => key !== "nullable");
    const field: ModelField = {
      name,
      wire: name,
      type,
      metadata: limits,
      isOptional: isOptional || limits.length < metadata.length,
      docs: [],
      part,
    };
    return { fields: [field], struct: null };
  }

  #arguments({ fields }: DraftMessage, hint: string): ModelMessage {
    const list = fields.map((field): ModelArgument => {
      const { name, isOptional } = field;
      return { name, type: this.#limited(field, hint), isOptional };
    });
    return { kind: "arguments", list };
  }

  /** Limits of an argument are those of a type. */
  #limited({ name, type, metadata, part }: ModelField, hint: string): string {
    if (metadata.length === 0) return type;
    const key = JSON.stringify([name.toLowerCase(), type, metadata]);
    const known = this.#aliases.get(key);
    if (known !== undefined) return known;
    const own = toPascal(name);
    const isGeneral = own !== "" && !/^(?:input|result|items)$/iu.test(own);
    const wished = isGeneral ? own : hint + own;
    const alias = this.#types.declareAlias(
      part,
      this.#types.names.has(wished) ? hint + own : wished,
      { type, metadata },
    );
    this.#aliases.set(key, alias);
    return alias;
  }

  #struct(
    { fields, struct }: DraftMessage,
    hint: string,
    part: DocumentPart,
  ): ModelMessage {
    if (struct !== null) return { kind: "struct", name: struct };
    const [only, ...others] = fields;
    if (only === undefined) return { kind: "arguments", list: [] };
    // A struct that is the whole value is the message.
    const isStruct =
      others.length === 0 &&
      !only.isOptional &&
      this.#types.structOf(only.type) !== null;
    if (isStruct) return { kind: "struct", name: only.type };
    const declared = this.#types.declareStruct(part, hint, fields);
    return { kind: "struct", name: declared };
  }
}

/** Metadata that an alias can have. */
const limitKeys: ReadonlySet<string> = new Set(
  "enum pattern minLength maxLength minimum maximum minItems maxItems uniqueItems minProperties maxProperties".split(
    " ",
  ),
);

function isPlainField({ docs, metadata }: ModelField): boolean {
  return docs.length === 0 && metadata.every(({ key }) => limitKeys.has(key));
}

function isExtra({ metadata }: ModelField): boolean {
  return metadata.some(({ key }: Meta) => key === "extra");
}

/** Whether a schema is that of an object without fields. */
function isEmptyObject(schema: DocumentPart): boolean {
  const values = schema.get("additionalProperties");
  return (
    schema.textOf("type") === "object" &&
    schema.get("properties")?.entries().length === 0 &&
    (values === null || values.isFalse)
  );
}
