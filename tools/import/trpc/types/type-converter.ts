import type { ts } from "ts-morph";
import type { LinkedSchema } from "../schemas/link-schema.js";
import {
  notesKeyword,
  type ParserSide,
  type SchemaNote,
} from "../schemas/schema-note.js";
import {
  bigintSchema,
  dateSchema,
  type LibrarySchema,
  librarySchema,
} from "../schemas/library-types.js";
import { docsOf } from "./type-docs.js";
import { TypeNames } from "./type-names.js";

/** The program and the side whose types are converted. */
export interface ConverterContext {
  readonly compiler: typeof ts;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The module of the router, in which types are looked at. */
  readonly source: ts.SourceFile;
  readonly hasTransformer: boolean;
  readonly side: ParserSide;
}

/** Object types of one message, and of all messages of a router. */
const maxMessageTypes = 300;
const maxTypes = 3000;
/** How often a generic type can be inside of itself with other arguments. */
const maxInstances = 5;

/** A type without the values that JSON does not have. */
interface PresentType {
  readonly parts: readonly ts.Type[];
  readonly hasNull: boolean;
  /** Whether the value can be absent. */
  readonly hasUndefined: boolean;
}

/** Turns types of TypeScript into schemas of the JSON that their values become. */
export class TypeConverter {
  readonly #context: ConverterContext;
  readonly #names: TypeNames;
  readonly #known = new Map<ts.Type, LinkedSchema>();
  /** Schemas that several types contain. */
  readonly #shared = new Set<LinkedSchema>();
  readonly #open = new Set<ts.Type>();
  readonly #instances = new Map<ts.Symbol, number>();
  #count = 0;
  #messageCount = 0;

  constructor(context: ConverterContext) {
    this.#context = context;
    this.#names = new TypeNames(context.compiler, context.checker);
  }

  /** Returns the schema of an input or output, or null if it has no value. */
  convertMessage(type: ts.Type): LinkedSchema | null {
    this.#messageCount = 0;
    const present = this.#presentOf(type);
    if (present.parts.length === 0 && !present.hasNull) return null;
    // The absence of a whole value is null.
    const hasNull = present.hasNull || present.hasUndefined;
    return this.#convertPresent(type, { ...present, hasNull });
  }

  /** Returns the arguments of a generic type. */
  argumentsOf(type: ts.Type): readonly ts.Type[] {
    const { checker } = this.#context;
    return this.#isReference(type) ? checker.getTypeArguments(type) : [];
  }

  #isReference(type: ts.Type): type is ts.TypeReference {
    const { ObjectFlags } = this.#context.compiler;
    const flags = "objectFlags" in type ? Number(type.objectFlags) : 0;
    return (flags & ObjectFlags.Reference) !== 0;
  }

  #presentOf(type: ts.Type): PresentType {
    const { TypeFlags } = this.#context.compiler;
    const all = type.isUnion() ? type.types : [type];
    const has = (flags: ts.TypeFlags): boolean =>
      all.some((each) => (each.flags & flags) !== 0);
    const parts = all.filter(
      (each) => (each.flags & TypeFlags.Null) === 0 && !this.#isAbsent(each),
    );
    return {
      parts,
      hasNull: has(TypeFlags.Null),
      hasUndefined: all.some((each) => this.#isAbsent(each)),
    };
  }

  /** Whether JSON leaves out a member with this type. */
  #isAbsent(type: ts.Type): boolean {
    const { TypeFlags } = this.#context.compiler;
    const absent =
      TypeFlags.Undefined |
      TypeFlags.Void |
      TypeFlags.Never |
      TypeFlags.ESSymbolLike;
    return (
      (type.flags & absent) !== 0 ||
      (type.getCallSignatures().length > 0 && type.getProperties().length === 0)
    );
  }

  #convertPresent(
    type: ts.Type,
    { hasNull, parts }: PresentType,
  ): LinkedSchema {
    const { checker } = this.#context;
    const schema =
      parts.length === 0
        ? { type: "null" }
        : this.#convertParts(checker.getNonNullableType(type), parts);
    return !hasNull || parts.length === 0
      ? schema
      : { anyOf: [schema, { type: "null" }] };
  }

  /** Converts a value that is part of another one. */
  #convertValue(type: ts.Type): LinkedSchema {
    const present = this.#presentOf(type);
    // An absent item of a list is null in JSON.
    const hasNull = present.hasNull || present.hasUndefined;
    return this.#convertPresent(type, { ...present, hasNull });
  }

  #convertParts(whole: ts.Type, parts: readonly ts.Type[]): LinkedSchema {
    const [only, ...others] = parts;
    if (only === undefined) return {};
    if (others.length === 0) return this.#convertOne(only);
    return this.#share(whole, (schema) => {
      const [single, ...rest] = this.#variants(parts);
      if (single === undefined) return;
      Object.assign(
        schema,
        rest.length === 0 ? single : { anyOf: [single, ...rest] },
      );
    });
  }

  /** Converts the parts of a union, of which literals are one variant. */
  #variants(parts: readonly ts.Type[]): readonly LinkedSchema[] {
    const { checker, compiler } = this.#context;
    const { TypeFlags } = compiler;
    const texts = parts.flatMap((each) =>
      each.isStringLiteral() ? [each.value] : [],
    );
    const numbers = parts.flatMap((each) =>
      each.isNumberLiteral() ? [each.value] : [],
    );
    const flags = parts.filter(
      ({ flags }) => (flags & TypeFlags.BooleanLiteral) !== 0,
    );
    const others = parts.filter(
      (each) =>
        !each.isStringLiteral() &&
        !each.isNumberLiteral() &&
        (each.flags & TypeFlags.BooleanLiteral) === 0,
    );
    const rest = others.map((each) => this.#convertOne(each));
    const has = (name: string): boolean =>
      rest.some(
        ({ type, const: value }) => type === name && value === undefined,
      );
    const isBoth = new Set(flags.map((each) => checker.typeToString(each)));
    return [
      ...(texts.length > 0 && !has("string") ? [listed("string", texts)] : []),
      ...(numbers.length > 0 && !has("number")
        ? [listed(numberType(numbers), numbers)]
        : []),
      ...(isBoth.size > 1
        ? [{ type: "boolean" }]
        : flags.map((each) => this.#convertOne(each))),
      ...unique(rest),
    ];
  }

  #convertOne(type: ts.Type): LinkedSchema {
    const { checker, compiler } = this.#context;
    const { TypeFlags } = compiler;
    const { flags } = type;
    if (type.isStringLiteral()) return { type: "string", const: type.value };
    if (type.isNumberLiteral()) {
      return { type: numberType([type.value]), const: type.value };
    }
    if (flags & TypeFlags.BooleanLiteral) {
      return { type: "boolean", const: checker.typeToString(type) === "true" };
    }
    const scalar = this.#scalars().find(([kind]) => (flags & kind) !== 0);
    if (scalar !== undefined) return withNotes(scalar[1]);
    if (flags & TypeFlags.Any) {
      const message = "the type is `any` in TypeScript";
      return note("value", message);
    }
    if (flags & TypeFlags.Unknown) return {};
    const primitive = type.isIntersection()
      ? type.types.find((each) => (each.flags & primitives(compiler)) !== 0)
      : undefined;
    // A primitive with a brand, such as `string & { __brand: "Id" }`.
    if (primitive !== undefined) return this.#convertOne(primitive);
    if ((flags & (TypeFlags.Object | TypeFlags.Intersection)) === 0) {
      const constraint = checker.getBaseConstraintOfType(type);
      return constraint && constraint !== type
        ? this.#convertValue(constraint)
        : note("value", `JSON has no \`${checker.typeToString(type)}\``);
    }
    return this.#convertObject(type);
  }

  #scalars(): readonly (readonly [ts.TypeFlags, LibrarySchema])[] {
    const { compiler, hasTransformer } = this.#context;
    const { TypeFlags } = compiler;
    const plain = (type: string): LibrarySchema => ({
      schema: { type },
      notes: [],
    });
    return [
      [TypeFlags.StringLike, plain("string")],
      [TypeFlags.NumberLike, plain("number")],
      [TypeFlags.BooleanLike, plain("boolean")],
      [TypeFlags.BigIntLike, bigintSchema(hasTransformer)],
    ];
  }

  #convertObject(type: ts.Type): LinkedSchema {
    const { checker, hasTransformer, side } = this.#context;
    const name = type.getSymbol()?.name ?? "";
    const isLibrary = this.#isLibrary(type);
    if (isLibrary && name === "Date") {
      return withNotes(dateSchema(hasTransformer, side));
    }
    if (checker.isTupleType(type)) return this.#convertTuple(type);
    if (checker.isArrayType(type)) {
      const [item] = this.argumentsOf(type);
      return { type: "array", items: item ? this.#convertValue(item) : {} };
    }
    if (isLibrary && name === "Promise") {
      const [value] = this.argumentsOf(type);
      const message = "a promise inside of a value";
      return {
        ...(value && this.#convertValue(value)),
        [notesKeyword]: [["wire", message, "it is the value"]],
      };
    }
    const encoder = type.getProperty("toJSON");
    const [encoded] = encoder ? this.#typeOf(encoder).getCallSignatures() : [];
    if (encoded !== undefined) {
      return this.#convertValue(checker.getReturnTypeOfSignature(encoded));
    }
    if (isLibrary) return withNotes(librarySchema(name));
    return this.#share(type, (schema) => this.#fillObject(type, schema));
  }

  /** Whether a type is a class or an interface of the language. */
  #isLibrary(type: ts.Type): boolean {
    const { compiler, program } = this.#context;
    const { SymbolFlags } = compiler;
    const symbol = type.getSymbol();
    if (symbol === undefined) return false;
    const kinds = SymbolFlags.Class | SymbolFlags.Interface;
    return (
      (symbol.flags & kinds) !== 0 &&
      symbol.declarations?.some((each) =>
        program.isSourceFileDefaultLibrary(each.getSourceFile()),
      ) === true
    );
  }

  #convertTuple(type: ts.Type): LinkedSchema {
    const items = this.argumentsOf(type).map((each) =>
      this.#convertValue(each),
    );
    const [first, ...others] = items;
    const text = JSON.stringify(first ?? {});
    const isUniform = others.every((each) => JSON.stringify(each) === text);
    return first !== undefined && isUniform
      ? { type: "array", items: first }
      : { type: "array", prefixItems: items };
  }

  /** Converts a type once, and refers to it where it contains itself. */
  #share(type: ts.Type, fill: (schema: LinkedSchema) => void): LinkedSchema {
    const known = this.#known.get(type);
    if (known !== undefined) {
      return this.#open.has(type) ? { $ref: known } : known;
    }
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const instances =
      symbol === undefined ? 0 : (this.#instances.get(symbol) ?? 0);
    if (
      instances >= maxInstances ||
      this.#count >= maxTypes ||
      this.#messageCount >= maxMessageTypes
    ) {
      return note("value", "the type is too large for RIDL");
    }
    const schema: LinkedSchema = {};
    this.#known.set(type, schema);
    this.#shared.add(schema);
    this.#open.add(type);
    this.#count += 1;
    this.#messageCount += 1;
    if (symbol !== undefined) this.#instances.set(symbol, instances + 1);
    fill(schema);
    this.#addName(type, schema);
    if (symbol !== undefined) this.#instances.set(symbol, instances);
    this.#open.delete(type);
    return schema;
  }

  #addName(type: ts.Type, schema: LinkedSchema): void {
    const { checker, compiler } = this.#context;
    const name = this.#names.nameOf(type);
    const symbol = type.aliasSymbol ?? type.getSymbol();
    if (name === null || symbol === undefined) return;
    schema["title"] = name;
    const { description } = docsOf(symbol, compiler, checker);
    if (description !== null) schema["description"] = description;
  }

  #fillObject(type: ts.Type, schema: LinkedSchema): void {
    const members = type
      .getProperties()
      .filter((each) => this.#isSent(each))
      .flatMap((each) => this.#convertMember(each));
    const required = members.flatMap(({ isOptional, name }) =>
      isOptional ? [] : [name],
    );
    const index =
      type.getStringIndexType() ?? type.getNumberIndexType() ?? null;
    Object.assign(schema, {
      type: "object",
      properties: Object.fromEntries(
        members.map(({ name, schema }) => [name, schema]),
      ),
      ...(required.length > 0 && { required }),
      ...(index !== null && {
        additionalProperties: this.#convertValue(index),
      }),
    });
    if (members.length === 0 && index !== null) delete schema["properties"];
  }

  /** Whether JSON contains a member of an object. */
  #isSent({ declarations = [], escapedName, flags }: ts.Symbol): boolean {
    const { compiler } = this.#context;
    const { ModifierFlags, SymbolFlags } = compiler;
    const hidden = ModifierFlags.Private | ModifierFlags.Protected;
    // Names of symbols, and of private members, begin with two underscores.
    const isName = !/^__[@#]/u.test(String(escapedName));
    const isMethod =
      (flags & (SymbolFlags.Method | SymbolFlags.Accessor)) !== 0;
    const isOfClass = declarations.some(
      ({ parent }) =>
        compiler.isClassDeclaration(parent) ||
        compiler.isClassExpression(parent),
    );
    const isHidden = declarations.some(
      (each) => (compiler.getCombinedModifierFlags(each) & hidden) !== 0,
    );
    return isName && !isHidden && !(isMethod && isOfClass);
  }

  #convertMember(symbol: ts.Symbol): readonly {
    readonly name: string;
    readonly schema: LinkedSchema;
    readonly isOptional: boolean;
  }[] {
    const { checker, compiler } = this.#context;
    const type = this.#typeOf(symbol);
    const present = this.#presentOf(type);
    if (present.parts.length === 0 && !present.hasNull) return [];
    const isOptional =
      present.hasUndefined ||
      (symbol.flags & compiler.SymbolFlags.Optional) !== 0;
    const schema = this.#convertPresent(type, present);
    const docs = docsOf(symbol, compiler, checker);
    const { name } = symbol;
    return [{ name, schema: this.#document(schema, docs), isOptional }];
  }

  /** Adds a comment to one use of a type. */
  #document(
    schema: LinkedSchema,
    { description, isDeprecated }: ReturnType<typeof docsOf>,
  ): LinkedSchema {
    if (description === null && !isDeprecated) return schema;
    return {
      ...(this.#shared.has(schema) ? { $ref: schema } : schema),
      ...(description !== null && { description }),
      ...(isDeprecated && { deprecated: true }),
    };
  }

  #typeOf(symbol: ts.Symbol): ts.Type {
    const { checker, source } = this.#context;
    return checker.getTypeOfSymbolAtLocation(symbol, source);
  }
}

function primitives({ TypeFlags }: typeof ts): ts.TypeFlags {
  return (
    TypeFlags.StringLike |
    TypeFlags.NumberLike |
    TypeFlags.BooleanLike |
    TypeFlags.BigIntLike
  );
}

function note(level: SchemaNote[0], message: string): LinkedSchema {
  return { [notesKeyword]: [[level, message, "any value is accepted"]] };
}

function withNotes({ notes, schema }: LibrarySchema): LinkedSchema {
  return {
    ...schema,
    ...(notes.length > 0 && { [notesKeyword]: notes }),
  };
}

function listed(
  type: string,
  values: readonly (string | number)[],
): LinkedSchema {
  return values.length === 1
    ? { type, const: values[0] }
    : { type, enum: values };
}

function numberType(values: readonly number[]): string {
  return values.every(Number.isInteger) ? "integer" : "number";
}

/** Removes variants that equal others, such as two of `any`. */
function unique(schemas: readonly LinkedSchema[]): readonly LinkedSchema[] {
  return [...new Set(schemas)];
}
