import * as fc from "fast-check";

type Schema = Readonly<Record<string, unknown>>;

const names = "id name kind a-b __proto__ constructor note 1st".split(" ");
const text = fc.constantFrom("", "a", "b", "name", "10", "é", "x y");

/** Returns two limits in ascending order, each of which may be absent. */
function limits(
  lower: string,
  upper: string,
  value: fc.Arbitrary<number>,
): fc.Arbitrary<Schema> {
  return fc.tuple(fc.option(value), fc.option(value)).map(([one, other]) => ({
    ...(one !== null && { [lower]: Math.min(one, other ?? one) }),
    ...(other !== null && { [upper]: Math.max(one ?? other, other) }),
  }));
}

/** Adds the keywords of one of several schemas. */
function merged(...parts: readonly fc.Arbitrary<Schema>[]) {
  return fc
    .tuple(...parts)
    .map((all): Schema => Object.assign({}, ...all) as Schema);
}

const size = fc.nat({ max: 4 });
const word = fc.oneof(
  merged(
    fc.constant({ type: "string" }),
    limits("minLength", "maxLength", size),
  ),
  fc
    .constantFrom("date-time", "date", "uuid", "byte", "email")
    .map((format) => ({
      type: "string",
      format,
    })),
  fc
    .constantFrom("^a", "^[a-z]{1,3}$", "b$", "\\d", "^(?:a|b)*$")
    .map((pattern) => ({ type: "string", pattern })),
  fc.uniqueArray(text, { minLength: 1, maxLength: 3 }).map((values) => ({
    type: "string",
    enum: values,
  })),
  text.map((value) => ({ const: value })),
  fc.constant({ type: ["string", "integer"], minLength: 1 }),
);
const amount = fc.integer({ min: -300, max: 300 });
const number = fc.oneof(
  merged(
    fc.constant({ type: "integer" }),
    limits("minimum", "maximum", amount),
  ),
  merged(fc.constant({ type: "number" }), limits("minimum", "maximum", amount)),
  merged(
    fc.constant({ type: "number" }),
    limits("exclusiveMinimum", "exclusiveMaximum", amount),
  ),
  fc
    .constantFrom("int8", "int32", "int64", "uint16", "float")
    .map((format) => ({ type: "integer", format })),
  fc.uniqueArray(amount, { minLength: 1, maxLength: 3 }).map((values) => ({
    type: "integer",
    enum: values,
  })),
  fc.constantFrom(
    { type: "integer", multipleOf: 5 },
    { type: ["number", "boolean"] },
  ),
);
const beside = fc.constantFrom<Schema>(
  ...[{ maxLength: 3 }, { minimum: 0 }, { nullable: true }, { type: "string" }],
  ...[{ required: ["note"] }, { minProperties: 1 }, { maxProperties: 2 }],
  ...[{ properties: { note: { type: "string" } } }, { not: { const: "a" } }],
  ...[{ maxItems: 2 }, { pattern: "^[ab]" }, { description: "It." }],
);

/** Allows null in one of the ways of OpenAPI 3.0 and 3.1. */
function nullable(schema: Schema, way: number): Schema {
  const { type } = schema;
  if (way === 0) return { anyOf: [schema, { type: "null" }] };
  if (way === 1) return { ...schema, nullable: true };
  return typeof type === "string" && !("enum" in schema)
    ? { ...schema, type: [type, "null"] }
    : { oneOf: [{ type: "null" }, schema] };
}

/** Input: the names of schemas that can be referred to. */
function schemasWith(known: readonly string[]): fc.Arbitrary<Schema> {
  const refs = known.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const { schema } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      word,
      number,
      fc.constantFrom<Schema>({ type: "boolean" }, {}, ...refs, ...refs),
      tie("object"),
      merged(
        fc.constant({ type: "array" }),
        tie("schema").map((items) => ({ items })),
        limits("minItems", "maxItems", size),
        fc.constantFrom({}, {}, { uniqueItems: true }),
      ),
      fc
        .tuple(tie("schema"), fc.nat({ max: 2 }))
        .map(([each, way]) => nullable(each, way)),
      fc
        .tuple(
          fc.constantFrom("oneOf", "anyOf"),
          fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        )
        .map(([key, variants]) => ({ [key]: variants })),
      // Keywords beside a reference or a schema, and several parts of `allOf`.
      fc
        .tuple(fc.constantFrom<Schema>(...refs), beside)
        .map(([ref, more]) => ({ ...ref, ...more })),
      fc
        .tuple(tie("schema"), beside)
        .map(([each, more]) => ({ allOf: [each, more] })),
      fc
        .array(tie("object"), { minLength: 1, maxLength: 2 })
        .map((allOf) => ({ allOf })),
    ),
    object: fc
      .record({
        fields: fc.dictionary(
          fc.constantFrom(...names),
          fc.tuple(
            tie("schema"),
            fc.constantFrom(
              {},
              {},
              {},
              { readOnly: true },
              { writeOnly: true },
            ),
          ),
          { maxKeys: 4 },
        ),
        required: fc.subarray(names),
        others: fc.option(fc.oneof(fc.boolean(), tie("schema"))),
      })
      .map(({ fields, others, required }) => ({
        type: "object",
        properties: Object.fromEntries(
          Object.entries(fields).map(([name, [each, side]]) => [
            name,
            { ...each, ...side },
          ]),
        ),
        required: required.filter((name) => Object.hasOwn(fields, name)),
        ...(others !== null && { additionalProperties: others }),
      })),
  }));
  return schema;
}

/** A union of two objects with a tag, and its variants. */
const tagged = fc
  .tuple(fc.constantFrom("oneOf", "anyOf"), fc.boolean(), number)
  .map(([key, isMapped, each]): Readonly<Record<string, Schema>> => {
    const variant = (kind: string) => ({
      type: "object",
      required: ["kind"],
      properties: { kind: { type: "string", const: kind }, [kind]: each },
    });
    const [one, other] = ["Circle", "Square"].map((name) => ({
      $ref: `#/components/schemas/${name}`,
    }));
    const discriminator = {
      propertyName: "kind",
      ...(isMapped && { mapping: { Circle: one?.$ref, Square: other?.$ref } }),
    };
    return {
      Circle: variant("Circle"),
      Square: variant("Square"),
      Shape: { [key]: [one, other], discriminator },
    };
  });

/** A base that others extend with `allOf`, on two levels. */
const extended = fc
  .tuple(fc.boolean(), number, number)
  .map(([isMapped, wings, song]): Readonly<Record<string, Schema>> => {
    const extend = (name: string, properties: Schema) => ({
      allOf: [
        { $ref: `#/components/schemas/${name}` },
        { type: "object", properties },
      ],
    });
    const mapping = { bird: "Bird", lark: "#/components/schemas/Lark" };
    return {
      Animal: {
        type: "object",
        required: ["kind"],
        discriminator: { propertyName: "kind", ...(isMapped && { mapping }) },
        properties: { kind: { type: "string" } },
      },
      Bird: extend("Animal", { wings }),
      Lark: extend("Bird", { song }),
    };
  });

/** OpenAPI documents that make sense, apart from contradictory limits. */
export const arbitraryApi = fc
  .tuple(
    tagged,
    extended,
    schemasWith(["Shape", "Animal"]),
    schemasWith(["Shape", "First", "Bird"]),
    schemasWith(["Circle", "First", "Second", "Animal"]),
  )
  .map(([shapes, animals, First, Second, Third]) => {
    const content = (name: string) => ({
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${name}` },
        },
      },
    });
    const operation = (name: string) => ({
      post: {
        operationId: `send${name}`,
        requestBody: { required: true, ...content(name) },
        responses: { "200": { description: "OK", ...content(name) } },
      },
    });
    const schemas = { ...shapes, ...animals, First, Second, Third };
    return {
      openapi: "3.1.0",
      info: { title: "Random", version: "1" },
      paths: Object.fromEntries(
        ["First", "Second", "Third"].map((name) => [
          `/${name}`,
          operation(name),
        ]),
      ),
      components: { schemas },
    };
  });
