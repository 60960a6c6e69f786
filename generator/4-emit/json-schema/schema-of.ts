import type {
  Alias,
  Constraints,
  Enum,
  Field,
  ScalarName,
  TypeDeclaration,
  Union,
} from "../../ir/contract.js";
import { isTextName, isWideInteger, scalars } from "../../ir/scalars.js";
import { allowedAlong, allowedValues } from "../../values/allowed-values.js";
import {
  hasLimits,
  isBoundToSafe,
  mergeConstraints,
} from "../../values/limits.js";
import { exampleOf } from "../../values/choices.js";
import { addLimits, type ResolvedValue, isFile } from "../../values/value.js";
import type { WireOptions } from "../../values/wire-options.js";
import { isList, type JsonObject } from "../emitter/json-value.js";
import { describe, quoteCode, textOf } from "./describe.js";
import {
  integerFormat,
  rangeOf,
  type ScalarSchema,
  withFormat,
} from "./dialects.js";
import { integerPattern } from "./integer-pattern.js";
import { withExtra } from "./extra-members.js";
import type { ObjectPart, SchemaPart } from "./part.js";
import { integersInText } from "./integers-in-text.js";
import {
  integersAmong,
  oneOfValues,
  orNullValue,
  withListKeywords,
  withValues,
} from "./listed-values.js";
import {
  ofOneKind,
  type UnionScope,
  variantKeywords,
  variantsIn,
} from "./variant-keywords.js";

/** What schemas depend on, apart from values. */
export interface SchemaScope extends UnionScope {
  readonly int64: WireOptions["int64"];
  /** Returns the schema of a core type. */
  scalar(name: ScalarName): ScalarSchema;
}

/** Returns the schema of a declared type. */
export function declarationSchema(
  scope: SchemaScope,
  declaration: TypeDeclaration,
): ObjectPart {
  switch (declaration.kind) {
    case "struct": {
      const part = objectSchema(scope, declaration.fields);
      const schema = { ...describe(declaration.docs), ...part.schema };
      return { ...part, schema };
    }
    case "enum":
      return { ...plain(enumSchema(scope, declaration)), output: {} };
    case "union":
      return unionSchema(scope, declaration);
    case "alias":
      return aliasSchema(scope, declaration);
  }
}

/** Returns the schema of a union. */
function unionSchema(scope: SchemaScope, union: Union): ObjectPart {
  const { constraints, docs } = union;
  const variants = variantsIn(scope, union);
  const parts = variants.map((variant) =>
    ofOneKind(scope.scalar, variant, typeSchema(scope, variant.value, {})),
  );
  return {
    schema: {
      ...describe(docs),
      ...variantKeywords(scope, union, parts),
      ...(constraints.example !== undefined && {
        examples: [constraints.example],
      }),
    },
    refs: parts.flatMap(({ refs }) => refs),
    isJson: parts.every(({ isJson }) => isJson),
    output: {},
  };
}

/** Returns the schema of an object with some fields, without files. */
export function objectSchema(
  scope: SchemaScope,
  all: readonly Field[],
): ObjectPart {
  const { isStandard } = scope.dialect;
  const part = membersSchema(
    scope,
    all.filter(
      ({ header, isExtra }) => !isExtra && (isStandard || header === null),
    ),
  );
  const extra = all.find(({ isExtra }) => isExtra);
  const value = extra && scope.valueOf(extra);
  if (extra === undefined || value?.kind !== "map") return part;
  return withExtra(part, all, extra, {
    keys: keysSchema(scope, scope.valueOf(value.key)),
    held: itemSchema(scope, scope.valueOf(value.held)),
    limits: value.limits,
    collected: fieldSchema(scope, extra),
  });
}

function membersSchema(scope: SchemaScope, all: readonly Field[]): ObjectPart {
  const fields = all.filter((field) => !isFile(scope, scope.valueOf(field)));
  const required = fields.filter(({ isOptional }) => !isOptional);
  const parts = fields.map((field) => fieldSchema(scope, field));
  const properties = fields.map(
    ({ jsonName }, at) => [jsonName, parts[at]?.schema] as const,
  );
  const output = fields.flatMap(({ jsonName }, at) => {
    const different = parts[at]?.output ?? null;
    return different === null ? [] : [[jsonName, different] as const];
  });
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && {
        required: required.map(({ jsonName }) => jsonName),
      }),
    },
    refs: parts.flatMap(({ refs }) => refs),
    isJson: parts.every(({ isJson }) => isJson),
    output:
      output.length === 0 ? {} : { properties: Object.fromEntries(output) },
  };
}

/** Returns the schema of a field. Its output is null if it is the same. */
export function fieldSchema(
  scope: SchemaScope,
  field: Field,
): SchemaPart & { readonly output: JsonObject | null } {
  const { deprecated, docs, isNullable, isOptional } = field;
  const { acceptsAll, isStandard } = scope.dialect;
  const value = scope.valueOf(field);
  const part = valueSchema(scope, field);
  const words = describe(
    docs,
    deprecated,
    limitsInWords(value, field.constraints),
  );
  const isNull = isNullable || (isOptional && acceptsAll);
  const accepted = isNull ? orNull(part.schema) : part.schema;
  const isSame = !isStandard || isNullable || accepted === part.schema;
  return {
    ...part,
    schema: {
      ...words,
      ...accepted,
      ...(isHidden(scope, field, value) && { format: "password" }),
    },
    output: isSame ? null : { ...words, ...part.schema },
  };
}

/** Returns the schema of a field's values, without docs and without null. */
export function valueSchema(
  scope: SchemaScope,
  { constraints, type }: Pick<Field, "constraints" | "type">,
): SchemaPart {
  return typeSchema(scope, scope.valueOf(type), constraints);
}

/** Whether forms should hide what users type. */
function isHidden(
  { dialect }: SchemaScope,
  { isSensitive }: Field,
  value: ResolvedValue,
): boolean {
  const isText = value.kind === "scalar" && value.scalar === "string";
  return isSensitive && dialect.hasFormats && isText;
}

/** Returns the schema of a type as written, with limits on top of it. */
function typeSchema(
  scope: SchemaScope,
  value: ResolvedValue,
  own: Constraints,
): SchemaPart {
  if (!hasLimits(own)) return formSchema(scope, value, own);
  const { example, ...limits } = own;
  const part = formSchema(scope, value, limitsOnWire(scope, value, limits));
  const shown =
    example === undefined
      ? undefined
      : exampleOf(addLimits(value, own), scope.int64);
  const schema = withFormat(part.schema);
  return {
    ...part,
    schema: shown === undefined ? schema : { ...schema, examples: [shown] },
  };
}

/** Describes a value. The limits come on top of a type's own. */
function formSchema(
  scope: SchemaScope,
  value: ResolvedValue,
  limits: Constraints,
): SchemaPart {
  if (value.name !== null) return namedSchema(scope, value, value.name, limits);
  switch (value.kind) {
    case "scalar":
      return scalarPart(scope, value.scalar, limits);
    case "bytes": {
      const text = { type: "string", contentEncoding: "base64", ...limits };
      return { ...plain(text), isJson: false };
    }
    case "list": {
      const items = itemSchema(scope, scope.valueOf(value.element));
      const schema = { type: "array", items: items.schema, ...limits };
      return { ...items, schema };
    }
    case "map": {
      const keys = keysSchema(scope, scope.valueOf(value.key));
      const held = itemSchema(scope, scope.valueOf(value.held));
      return {
        schema: {
          type: "object",
          ...keys.schema,
          additionalProperties: held.schema,
          ...limits,
        },
        refs: [...keys.refs, ...held.refs],
        isJson: held.isJson,
      };
    }
    case "enum":
    case "struct":
    case "union":
      return namedSchema(scope, value, value.declaration.name, limits);
  }
}

/** Returns the schema of an item of a list or map. */
function itemSchema(scope: SchemaScope, value: ResolvedValue): SchemaPart {
  const part = typeSchema(scope, value, {});
  return value.isNullable ? { ...part, schema: orNull(part.schema) } : part;
}

/** Returns the reference to the schema of a declared type. */
function refTo(scope: SchemaScope, type: string): string {
  return scope.dialect.root + scope.nameOf(type);
}

/** Refers to the schema of a declared type. */
function namedSchema(
  scope: SchemaScope,
  value: ResolvedValue,
  name: string,
  limits: Constraints,
): SchemaPart {
  const { dialect } = scope;
  const isLimited = hasLimits(limits);
  const isOrInteger =
    value.kind === "scalar" && value.acceptsInteger && dialect.acceptsAll;
  // Many generators ignore keywords next to `$ref`, such as the value of a tag.
  const isListed = limits.enum !== undefined && !isOrInteger;
  if (value.kind === "enum" && isListed) {
    return plain({ type: "string", ...withListKeywords(limits) });
  }
  if (value.kind === "scalar" && isLimited) {
    // Limits decide whether a 64-bit integer is a `bigint`.
    const isWide = dialect.isStandard && isWideInteger(value.scalar);
    if (isListed || isWide) {
      const { example: _, ...all } = mergeConstraints(limits, value.limits);
      return scalarPart(scope, value.scalar, all);
    }
  }
  const $ref = refTo(scope, name);
  const own =
    isLimited && isOrInteger ? eitherIn(scope, value, limits) : limits;
  const schema = { $ref, ...withListKeywords(own) };
  return { schema, refs: [name], isJson: true };
}

/** Returns limits on text that can also be an integer. */
function eitherIn(
  scope: SchemaScope,
  { layers }: ResolvedValue,
  limits: Constraints,
): JsonObject {
  const all = [limits, ...layers];
  const integers = integersOf(scope, all);
  const texts = allowedAlong(all, scope.int64);
  if (texts !== null) {
    return oneOfValues([...texts, ...integersAmong(texts, scope.dialect)]);
  }
  return { ...limits, ...(integers ?? { type: "string" }) };
}

function scalarPart(
  { dialect, int64, scalar }: SchemaScope,
  name: ScalarName,
  limits: Constraints,
): SchemaPart {
  const { range, schema } = scalar(name);
  const values = allowedValues(limits, int64);
  const { enum: _, ...others } = limits;
  const all = mergeConstraints(others, range);
  const isSafe = isWideInteger(name) && isBoundToSafe(name, limits);
  if (dialect.isStandard && isSafe) {
    return plain({ type: "integer", ...(values ? oneOfValues(values) : all) });
  }
  const isFormatted = schema["type"] === "integer" && dialect.hasFormats;
  const format = isFormatted && { format: integerFormat(all) };
  const isJson = !isList(schema["type"]);
  const formatted = { ...schema, ...format };
  return values === null
    ? { schema: { ...formatted, ...all }, refs: [], isJson }
    : { schema: withValues(formatted, values, dialect), refs: [], isJson };
}

/** Describes the keys of a map, which are strings. */
function keysSchema(scope: SchemaScope, key: ResolvedValue): SchemaPart {
  if (key.kind === "scalar" && scalars[key.scalar].range !== null) {
    const values = allowedValues(key.limits, scope.int64);
    if (values !== null) {
      return plain({ propertyNames: oneOfValues(values.map(String)) });
    }
    const { keys } = scope.scalar(key.scalar);
    const { maximum = 0, minimum = 0 } = mergeConstraints(key.limits, keys);
    const pattern = integerPattern(
      typeof minimum === "bigint" ? minimum : BigInt(Math.ceil(minimum)),
      typeof maximum === "bigint" ? maximum : BigInt(Math.floor(maximum)),
    );
    return plain({ propertyNames: { pattern } });
  }
  if (key.name === null) return plain({});
  const { refs, schema } = namedSchema(scope, key, key.name, {});
  return { ...plain({ propertyNames: schema }), refs };
}

function limitsOnWire(
  { dialect }: SchemaScope,
  value: ResolvedValue,
  limits: Constraints,
): Constraints {
  if (value.kind === "bytes") {
    const { maxItems, minItems } = limits;
    return {
      ...(minItems !== undefined && { minLength: base64Length(minItems) }),
      ...(maxItems !== undefined && { maxLength: base64Length(maxItems) }),
    };
  }
  if (!isNumberText(value) || dialect.isStandard) return limits;
  return limits.enum === undefined ? {} : { enum: limits.enum };
}

/** Describes the limits of a decimal string, which no keyword can express. */
function limitsInWords(
  value: ResolvedValue,
  { maximum, minimum }: Constraints,
): string {
  if (!isNumberText(value)) return "";
  return [
    minimum === undefined ? [] : `At least ${minimum}.`,
    maximum === undefined ? [] : `At most ${maximum}.`,
  ]
    .flat()
    .join(" ");
}

/** Whether values are strings that limits on numbers apply to. */
function isNumberText(value: ResolvedValue): boolean {
  return (
    value.kind === "scalar" &&
    isTextName(value.scalar) &&
    scalars[value.scalar].limits === "number"
  );
}

function enumSchema(
  { dialect }: SchemaScope,
  { docs, members }: Enum,
): JsonObject {
  const names = new Map<string, string>();
  for (const { jsonValue, name } of members) {
    if (!names.has(jsonValue)) names.set(jsonValue, name);
  }
  const values = [...names.keys()];
  // Otherwise, generators derive names such as `A_2` from the values.
  const isNamed =
    dialect.hasFormats && values.some((value) => names.get(value) !== value);
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

function aliasSchema(scope: SchemaScope, alias: Alias): ObjectPart {
  const { constraints, docs, name, title, type } = alias;
  const written = scope.valueOf(type);
  const value = scope.valueOf({ kind: "reference", name });
  const known = alias.known === null ? null : scope.type(alias.known);
  const members = known?.kind === "enum" ? known.members : [];
  const examples = members.map(({ jsonValue }) => jsonValue);
  const list = examples.map(quoteCode).join(", ");
  const texts = [
    list && `Known values: ${list}. Other values are possible.`,
    limitsInWords(written, constraints),
    alias.acceptsInteger ? "Servers also accept a JSON integer." : "",
  ];
  const part = typeSchema(scope, written, constraints);
  const integers = alias.acceptsInteger
    ? integersOf(scope, value.layers)
    : null;
  return {
    ...part,
    schema: {
      // Generators name classes after titles, so only scalars have one.
      ...(value.kind === "scalar" && title !== null && { title }),
      ...describe(docs, null, texts.filter((text) => text !== "").join(" ")),
      ...(integers === null ? part.schema : orInteger(part.schema, integers)),
      ...(examples.length > 0 && { examples }),
    },
    output: integers === null ? {} : { type: "string" },
  };
}

/**
 * Describes the integers that servers accept as strings. Returns null if the
 * schema only allows strings.
 */
function integersOf(
  { dialect, int64 }: SchemaScope,
  layers: readonly Constraints[],
): JsonObject | null {
  if (!dialect.acceptsAll) return null;
  const texts = allowedAlong(layers, int64);
  if (texts !== null) {
    const integers = integersAmong(texts, dialect);
    return integers.length === 0 ? null : oneOfValues(integers);
  }
  const range = integersInText(layers);
  if (range === null) return null;
  const safe = dialect.isRounded ? rangeOf("int", "number") : {};
  return { ...mergeConstraints(range, safe) };
}

/** Returns a schema that also allows integers. */
function orInteger(schema: JsonObject, integers: JsonObject): JsonObject {
  const isListed = (schema["const"] ?? schema["enum"]) !== undefined;
  return schema["type"] === "string" && !isListed
    ? { ...schema, type: ["string", "integer"], ...integers }
    : { anyOf: [schema, { type: "integer", ...integers }] };
}

/** Returns a schema that also allows null. */
function orNull(schema: JsonObject): JsonObject {
  const { $ref, type } = schema;
  if (Object.keys(schema).length === 0 || type === "null") return schema;
  return type === undefined || $ref !== undefined
    ? { anyOf: [schema, { type: "null" }] }
    : {
        ...orNullValue(schema),
        type: [...(isList(type) ? type : [type]), "null"],
      };
}

/** Returns a schema without references. */
function plain(schema: JsonObject): SchemaPart {
  return { schema, refs: [], isJson: true };
}

/** Returns the length of the base64 text for a number of bytes. */
function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
