import { isBytes } from "../../ir/bytes.js";
import type {
  Alias,
  Constraints,
  Contract,
  Field,
  Message,
  Method,
  TypeDeclaration,
  TypeReference,
} from "../../ir/contract.js";
import {
  createIndex,
  isBoundToSafe,
  mergeConstraints,
  type ContractIndex,
} from "../../ir/resolve.js";
import { readExample } from "../../ir/read-example.js";
import { rememberEach } from "../../ir/remember.js";
import { isWideInteger, scalars } from "../../ir/scalars.js";
import type { EmitOptions } from "../emitter/emitter.js";
import {
  isList,
  type JsonObject,
  type JsonValue,
} from "../emitter/json-value.js";
import { describe, quoteCode, textOf } from "./describe.js";
import { integerPattern } from "./integer-pattern.js";
import { integersInText } from "./integers-in-text.js";
import {
  createScalarSchemas,
  integerFormat,
  rangeOf,
  type Dialect,
} from "./scalar-schemas.js";
import {
  bodyField,
  nameSchemas,
  type SchemaNames,
  type MessageSide,
} from "./schema-names.js";

/** Creates the schemas of a document and those that they refer to. */
export class SchemaWriter {
  readonly names: SchemaNames;

  readonly #index: ContractIndex;
  readonly #contract: Contract;
  readonly #dialect: Dialect;
  readonly #scalars: ReturnType<typeof createScalarSchemas>;
  readonly #declarations: Map<string, Declaration>;
  #draft = createDraft();
  readonly #messages = new Map<string, JsonObject>();

  /** Input: a checked contract, and the methods that the document describes. */
  constructor(
    contract: Contract,
    methods: readonly Method[],
    options: Pick<EmitOptions, "int64">,
    dialect: Dialect,
  ) {
    this.names = nameSchemas(contract, methods);
    this.#index = createIndex(contract);
    this.#contract = contract;
    this.#dialect = dialect;
    this.#scalars = createScalarSchemas(options, dialect);
    const { acceptsAll, hasFormats, root } = dialect;
    const { isForTools = false, isStandard = false } = dialect;
    const { int64 } = options;
    // Tool schemas differ from others only if integers can be strings.
    const isOwn = isForTools && int64 === "bigint";
    const key = [root, hasFormats, acceptsAll, int64, isOwn, isStandard].join();
    const known = declarationsOf(contract);
    this.#declarations = known.get(key) ?? new Map();
    known.set(key, this.#declarations);
  }

  /** Returns a reference to the schema of a declared type. */
  type(name: string): JsonObject {
    this.#draft.types.add(name);
    return this.#referTo(this.names.type(name));
  }

  /** Returns a reference to the schema of a message as JSON, without files. */
  message(method: Method, side: MessageSide): JsonObject {
    const { fields, struct } = method[side];
    const body = this.#dialect.isForTools ? null : bodyField(method, side);
    if (struct !== null && body === null) return this.type(struct);
    const name = this.names.message(method, side);
    this.#messages.set(
      name,
      body === null ? this.#objectOf(fields) : this.#field(body),
    );
    return this.#referTo(name);
  }

  /** Returns the schema of a field's values, without docs and without null. */
  value({ constraints, type }: Field): JsonObject {
    return this.#ofType(type, constraints);
  }

  /** Returns the fields of a message that are files. */
  files({ fields }: Pick<Message, "fields">): readonly Field[] {
    return fields.filter(({ type }) => this.#isFile(type));
  }

  /** Returns all schemas that were referred to, by name. */
  referred(): JsonObject {
    // Schemas refer to other types, which are added to the set during the loop.
    const schemas = new Map<string, JsonObject>();
    for (const name of this.#draft.types) {
      const { schema, types } = this.declaration(name);
      schemas.set(name, schema);
      for (const type of types) this.#draft.types.add(type);
    }
    const declared = this.#contract.types.flatMap(({ name }) => {
      const schema = schemas.get(name);
      return schema ? [[this.names.type(name), schema] as const] : [];
    });
    return Object.fromEntries([...declared, ...this.#messages]);
  }

  /** Returns the schema of a declared type. */
  declaration(name: string): Declaration {
    const known = this.#declarations.get(name);
    if (known !== undefined) return known;
    const declaration = this.#alone(() =>
      this.#declare(this.#index.type(name)),
    );
    this.#declarations.set(name, declaration);
    return declaration;
  }

  /** Returns the schema of an object with some fields. */
  object(fields: readonly Field[]): Declaration {
    return this.#alone(() => this.#objectOf(fields));
  }

  /** Creates a schema, and collects the types that it refers to. */
  #alone(create: () => JsonObject): Declaration {
    const outer = this.#draft;
    const draft = createDraft();
    this.#draft = draft;
    const schema = create();
    this.#draft = outer;
    const { isJson, output, properties, types } = draft;
    if (properties.size > 0)
      output["properties"] = Object.fromEntries(properties);
    return { schema, output: isJson ? output : null, types };
  }

  #referTo(name: string): JsonObject {
    return { $ref: this.#dialect.root + name };
  }

  #isFile(of: TypeReference): boolean {
    const type = this.#index.resolve(of);
    return type.kind === "list"
      ? this.#isFile(type.element)
      : type.kind === "scalar" && scalars[type.name].wire === "file";
  }

  #objectOf(all: readonly Field[]): JsonObject {
    const fields = all.filter(({ type }) => !this.#isFile(type));
    const required = fields.filter(({ isOptional }) => !isOptional);
    return {
      type: "object",
      properties: Object.fromEntries(
        fields.map((field) => [field.jsonName, this.#field(field)]),
      ),
      ...(required.length > 0 && {
        required: required.map(({ jsonName }) => jsonName),
      }),
    };
  }

  #field(field: Field): JsonObject {
    const { deprecated, docs, isNullable, isOptional } = field;
    const schema = this.value(field);
    const { acceptsAll, isStandard } = this.#dialect;
    const words = describe(docs, deprecated, this.#limitsInWords(field));
    const isNull = isNullable || (isOptional && acceptsAll);
    const accepted = isNull ? orNull(schema) : schema;
    if (isStandard && !isNullable && accepted !== schema)
      this.#draft.properties.set(field.jsonName, { ...words, ...schema });
    return {
      ...words,
      ...accepted,
      ...(this.#isHidden(field) && { format: "password" }),
    };
  }

  /** Whether forms should hide what users type. */
  #isHidden({ isSensitive, type: of }: Field): boolean {
    if (!isSensitive || !this.#dialect.hasFormats) return false;
    const type = this.#index.resolve(of);
    return type.kind === "scalar" && type.name === "string";
  }

  #ofType(of: TypeReference, given: Constraints = {}): JsonObject {
    // Most types have no constraints.
    if (Object.keys(given).length === 0) return this.#ofForm(of, given);
    const { example, ...limits } = given;
    const shown = this.#exampleOf(of, given);
    return {
      ...this.#ofForm(of, this.#limitsOnWire(of, limits)),
      ...(shown !== undefined && { examples: [shown] }),
    };
  }

  /** Reads an example. Returns undefined if it is not a value of the type. */
  #exampleOf(of: TypeReference, own: Constraints): JsonValue {
    const { example } = own;
    if (example === undefined) return undefined;
    const type = this.#index.resolve(of);
    if (type.kind === "reference") {
      const declared = this.#index.type(type.name);
      const isMember =
        declared.kind === "enum" &&
        declared.members.some(({ jsonValue }) => jsonValue === example);
      return isMember ? example : undefined;
    }
    if (type.kind !== "scalar") return undefined;
    const all = [own, ...this.#index.constraintsAlong(of)];
    // A match could take too long.
    const limits = all.map(({ pattern: _, ...rest }) => rest);
    // The range of integers on the wire.
    const { keys } = this.#scalars[type.name];
    return readExample(type.name, [keys, ...limits], example);
  }

  #ofForm(of: TypeReference, limits: Constraints): JsonObject {
    switch (of.kind) {
      case "scalar": {
        const { range, schema } = this.#scalars[of.name];
        const all = mergeConstraints(limits, range);
        const isSafe = isWideInteger(of.name) && isBoundToSafe(of.name, limits);
        if (this.#dialect.isStandard && isSafe)
          return { type: "integer", ...all };
        this.#draft.isJson &&= !isList(schema["type"]);
        const isInteger = schema["type"] === "integer";
        const isFormatted = isInteger && this.#dialect.hasFormats;
        return {
          ...schema,
          ...(isFormatted && { format: integerFormat(all) }),
          ...all,
        };
      }
      case "list":
        if (!isBytes(this.#index, of))
          return { type: "array", items: this.#ofType(of.element), ...limits };
        this.#draft.isJson = false;
        return { type: "string", contentEncoding: "base64", ...limits };
      case "map":
        return {
          type: "object",
          ...this.#keysOf(of.key),
          additionalProperties: this.#ofType(of.value),
          ...limits,
        };
      case "reference": {
        const type = this.#index.resolve(of);
        const isWide = type.kind === "scalar" && isWideInteger(type.name);
        // Limits decide whether a 64-bit integer is a `bigint`.
        return this.#dialect.isStandard &&
          isWide &&
          Object.keys(limits).length > 0
          ? this.#ofForm(
              type,
              mergeConstraints(limits, this.#index.constraintsOf(of)),
            )
          : {
              ...this.type(of.name),
              ...limits,
              ...this.#limitIntegers(of, limits),
            };
      }
    }
  }

  #limitsOnWire(of: TypeReference, limits: Constraints): Constraints {
    if (isBytes(this.#index, of)) {
      const { maxItems, minItems } = limits;
      return {
        ...(minItems !== undefined && { minLength: base64Length(minItems) }),
        ...(maxItems !== undefined && { maxLength: base64Length(maxItems) }),
      };
    }
    const isText = !this.#dialect.isStandard && this.#isBigint(of);
    return isText ? {} : limits;
  }

  /** Describes the limits of a decimal string, which no keyword can express. */
  #limitsInWords({ constraints, type }: Limited): string {
    const { maximum, minimum } = constraints;
    if (!this.#isBigint(type)) return "";
    return [
      minimum === undefined ? [] : `At least ${minimum}.`,
      maximum === undefined ? [] : `At most ${maximum}.`,
    ]
      .flat()
      .join(" ");
  }

  #isBigint(of: TypeReference): boolean {
    const type = this.#index.resolve(of);
    return type.kind === "scalar" && type.name === "bigint";
  }

  #keysOf(key: TypeReference): JsonObject {
    const type = this.#index.resolve(key);
    if (type.kind !== "scalar" || scalars[type.name].range === null) {
      return key.kind === "reference"
        ? { propertyNames: this.type(key.name) }
        : {};
    }
    const { keys } = this.#scalars[type.name];
    const limits = mergeConstraints(this.#index.constraintsOf(key), keys);
    const { maximum = 0, minimum = 0 } = limits;
    const pattern = integerPattern(
      typeof minimum === "bigint" ? minimum : BigInt(Math.ceil(minimum)),
      typeof maximum === "bigint" ? maximum : BigInt(Math.floor(maximum)),
    );
    return { propertyNames: { pattern } };
  }

  #declare(declaration: TypeDeclaration): JsonObject {
    const { docs } = declaration;
    switch (declaration.kind) {
      case "struct":
        return { ...describe(docs), ...this.#objectOf(declaration.fields) };
      case "enum": {
        const { members } = declaration;
        const names = new Map<string, string>();
        for (const { jsonValue, name } of members) {
          if (!names.has(jsonValue)) names.set(jsonValue, name);
        }
        const values = [...names.keys()];
        // Otherwise, generators derive names such as `A_2` from the values.
        const isNamed =
          this.#dialect.hasFormats &&
          values.some((value) => names.get(value) !== value);
        const texts = members
          .filter((member) => textOf(member.docs) !== "")
          .map(({ docs, jsonValue }) => {
            const text = textOf(docs).replaceAll("\n", " ");
            return `- ${quoteCode(jsonValue)}: ${text}`;
          });
        return {
          ...describe(docs, null, texts.join("\n")),
          type: "string",
          // Some validators reject an empty list.
          ...(values.length > 0 ? { enum: values } : { not: {} }),
          ...(isNamed && { "x-enum-varnames": [...names.values()] }),
        };
      }
      case "alias":
        return this.#declareAlias(declaration);
    }
  }

  #declareAlias(alias: Alias): JsonObject {
    const { constraints, docs, known, type } = alias;
    const open = known === null ? null : this.#index.type(known);
    const members = open?.kind === "enum" ? open.members : [];
    const examples = members.map(({ jsonValue }) => jsonValue);
    const list = examples.map(quoteCode).join(", ");
    const texts = [
      list && `Known values: ${list}. Other values are possible.`,
      this.#limitsInWords(alias),
      alias.acceptsInteger ? "Servers also accept a JSON integer." : "",
    ];
    return {
      ...this.#titleOf(alias),
      ...describe(docs, null, texts.filter((text) => text !== "").join(" ")),
      ...this.#orInteger(alias, this.#ofType(type, constraints)),
      ...(examples.length > 0 && { examples }),
    };
  }

  /** Returns a schema that also allows the integers that servers accept. */
  #orInteger({ acceptsInteger, name }: Alias, schema: JsonObject): JsonObject {
    const integers = acceptsInteger
      ? this.#integersOf({ kind: "reference", name })
      : null;
    if (integers === null) return schema;
    this.#draft.output["type"] = "string";
    return schema["type"] === "string"
      ? { ...schema, type: ["string", "integer"], ...integers }
      : { anyOf: [schema, { type: "integer", ...integers }] };
  }

  /** Applies limits on strings to the integers that a type accepts. */
  #limitIntegers(of: TypeReference, limits: Constraints): JsonObject {
    const aliases = this.#index.aliasesFrom(of);
    const isLimited =
      Object.keys(limits).length > 0 &&
      this.#dialect.acceptsAll &&
      aliases.some(({ acceptsInteger }) => acceptsInteger);
    if (!isLimited) return {};
    return { ...(this.#integersOf(of, limits) ?? { type: "string" }) };
  }

  /**
   * Returns the range of the integers that servers accept as strings, or null
   * if the schema only allows strings.
   */
  #integersOf(of: TypeReference, limits: Constraints = {}): Constraints | null {
    const { acceptsAll, isForTools, isStandard } = this.#dialect;
    if (!acceptsAll) return null;
    const along = this.#index.constraintsAlong(of);
    const range = integersInText([limits, ...along]);
    // These values are read with `JSON.parse`, which may round others.
    const isSafe = isForTools === true || isStandard === true;
    return range && isSafe
      ? mergeConstraints(range, rangeOf("int", "number"))
      : range;
  }

  /**
   * Returns the title of an alias. Only aliases of scalars have one, because
   * generators name classes after titles.
   */
  #titleOf({ title, type }: Alias): JsonObject {
    const isPlain = this.#index.resolve(type).kind === "scalar";
    return isPlain && title !== null ? { title } : {};
  }
}

/** The schema of a declared type or of a message. */
export interface Declaration {
  readonly schema: JsonObject;
  /**
   * The keywords and properties that differ in the output of a Standard Schema.
   * Null if JSON cannot represent the schema's own values. Types that the
   * schema refers to do not count.
   */
  readonly output: JsonObject | null;
  /** Names of the declared types that the schema refers to. */
  readonly types: ReadonlySet<string>;
}

/** What has been collected so far for a schema that is being created. */
interface Draft {
  readonly types: Set<string>;
  /** Whether JSON can represent the output of a Standard Schema. */
  isJson: boolean;
  /** The keywords that differ in the output. */
  readonly output: Record<string, JsonValue>;
  /** The properties that differ in the output. */
  readonly properties: Map<string, JsonObject>;
}

function createDraft(): Draft {
  const properties = new Map<string, JsonObject>();
  return { types: new Set(), isJson: true, output: {}, properties };
}

/** Caches declarations by settings. Several documents share them. */
const declarationsOf = rememberEach(
  (_: Contract) => new Map<string, Map<string, Declaration>>(),
);

type Limited = Pick<Alias, "constraints" | "type">;

/** Returns a schema that also allows null. */
function orNull(schema: JsonObject): JsonObject {
  const { $ref, type } = schema;
  if (Object.keys(schema).length === 0 || type === "null") return schema;
  return type === undefined || $ref !== undefined
    ? { anyOf: [schema, { type: "null" }] }
    : { ...schema, type: [...(isList(type) ? type : [type]), "null"] };
}

/** Returns the length of the base64 text for a number of bytes. */
function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
