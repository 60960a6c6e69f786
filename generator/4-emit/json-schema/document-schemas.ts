import type { Contract, Field, Message, Method } from "../../ir/contract.js";
import { wireOf } from "../../http/wire-of.js";
import { remember } from "../../ir/remember.js";
import { isFile, valuesOf } from "../../values/value.js";
import type { EmitOptions } from "../emitter/emitter.js";
import type { JsonObject } from "../emitter/json-value.js";
import { type Dialect, scalarSchemas } from "./dialects.js";
import {
  nameSchemas,
  type MessageSide,
  type SchemaNames,
} from "./schema-names.js";
import type { ObjectPart, SchemaPart } from "./part.js";
import {
  declarationSchema,
  fieldSchema,
  objectSchema,
  type SchemaScope,
  valueSchema,
} from "./schema-of.js";
import { isOpenUnion, unknownVariant } from "./variant-keywords.js";

/** Collects the schemas of a document and those that they refer to. */
export class DocumentSchemas {
  readonly names: SchemaNames;
  readonly #contract: Contract;
  readonly #scope: SchemaScope;
  readonly #declarations: Map<string, ObjectPart>;
  /** Names of the declared types that the document refers to. */
  readonly #types = new Set<string>();
  readonly #messages = new Map<string, JsonObject>();

  /** Input: a checked contract, and the methods that the document describes. */
  constructor(
    contract: Contract,
    methods: readonly Method[],
    { int64 }: Pick<EmitOptions, "int64">,
    dialect: Dialect,
  ) {
    this.names = nameSchemas(contract, methods);
    this.#contract = contract;
    const values = valuesOf(contract);
    this.#scope = {
      dialect,
      int64,
      type: (name) => values.type(name),
      valueOf: (subject) => values.valueOf(subject),
      scalar: scalarSchemas(int64, dialect),
      nameOf: (type) => this.names.type(type),
      nameOfUnknown: (union) => this.names.unknownVariant(union),
    };
    this.#declarations = declarationsOf(contract, dialect)[int64];
  }

  /** Returns a reference to the schema of a declared type. */
  type(name: string): JsonObject {
    this.#types.add(name);
    return this.#referTo(this.names.type(name));
  }

  /** Returns a reference to the schema of a message as JSON, without files. */
  message(method: Method, side: MessageSide): JsonObject {
    const { fields, struct } = method[side];
    const { dialect } = this.#scope;
    const hasBody = side === "response" && dialect.hasBodies;
    const { members, whole } = wireOf(method).response;
    const content = hasBody ? members : fields;
    if (struct !== null && content.length === fields.length) {
      return this.type(struct);
    }
    return this.#declare(
      this.names.message(method, side),
      hasBody && whole !== null
        ? fieldSchema(this.#scope, whole)
        : objectSchema(this.#scope, content),
    );
  }

  /**
   * Returns a reference to the schema of the JSON that is the body of a request,
   * or null if it has no body.
   */
  requestBody(method: Method): JsonObject | null {
    const { fields, whole } = wireOf(method).request.body;
    const isAll = fields.length === method.request.fields.length;
    if (fields.length === 0) return null;
    if (whole === null && isAll) return this.message(method, "request");
    return this.#declare(
      this.names.message(method, "request"),
      whole === null
        ? objectSchema(this.#scope, fields)
        : fieldSchema(this.#scope, whole),
    );
  }

  #declare(name: string, part: SchemaPart): JsonObject {
    this.#messages.set(name, this.#use(part));
    return this.#referTo(name);
  }

  /** Returns the schema of an output that is the whole body of a response. */
  output(field: Field): JsonObject {
    return this.#use(fieldSchema(this.#scope, { ...field, isOptional: false }));
  }

  /** Returns the schema of a field's values, without docs and without null. */
  value(field: Field): JsonObject {
    return this.#use(valueSchema(this.#scope, field));
  }

  /** Returns the fields of a message that are files. */
  files({ fields }: Pick<Message, "fields">): readonly Field[] {
    return fields.filter((field) =>
      isFile(this.#scope, this.#scope.valueOf(field)),
    );
  }

  /** Returns all schemas that were referred to, by name. */
  referred(): JsonObject {
    const schemas = new Map<string, JsonObject>();
    // Schemas refer to other types, which are added to the set during the loop.
    for (const name of this.#types)
      schemas.set(name, this.#use(this.declaration(name)));
    const { hasFormats } = this.#scope.dialect;
    const declared = this.#contract.types.flatMap((type) => {
      const { name } = type;
      const schema = schemas.get(name);
      if (schema === undefined) return [];
      const own = [this.names.type(name), schema] as const;
      if (!hasFormats || !isOpenUnion(type)) return [own];
      const unknown = unknownVariant(this.#scope, type);
      return [own, [this.names.unknownVariant(name), unknown] as const];
    });
    return Object.fromEntries([...declared, ...this.#messages]);
  }

  /** Returns the schema of a declared type. */
  declaration(name: string): ObjectPart {
    const known = this.#declarations.get(name);
    if (known !== undefined) return known;
    const declaration = this.#scope.type(name);
    const part = declarationSchema(this.#scope, declaration);
    this.#declarations.set(name, part);
    return part;
  }

  /** Returns the schema of a form with fields, and with schemas for its files. */
  form(
    fields: readonly Field[],
    files: readonly (readonly [field: Field, schema: JsonObject])[],
  ): JsonObject {
    const schema = this.#use(this.object(fields));
    const required = fields.filter(
      ({ isExtra, isNullable, isOptional }) =>
        !isExtra && !isNullable && !isOptional,
    );
    const parts = files.map(
      ([{ jsonName }, part]) => [jsonName, part] as const,
    );
    return {
      ...schema,
      properties: {
        ...Object(schema["properties"]),
        ...Object.fromEntries(parts),
      },
      ...(required.length > 0 && {
        required: required.map(({ jsonName }) => jsonName),
      }),
    };
  }

  /** Returns the schema of an object with some fields. */
  object(fields: readonly Field[]): ObjectPart {
    return objectSchema(this.#scope, fields);
  }

  #use({ refs, schema }: SchemaPart): JsonObject {
    for (const name of refs) this.#types.add(name);
    return schema;
  }

  #referTo(name: string): JsonObject {
    return { $ref: this.#scope.dialect.root + name };
  }
}

/** Caches declarations by contract and dialect. Several documents share them. */
const declarationsOf = remember((_: Contract, __: Dialect) => ({
  number: new Map<string, ObjectPart>(),
  bigint: new Map<string, ObjectPart>(),
}));
