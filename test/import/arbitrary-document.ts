import * as fc from "fast-check";

const names =
  "id type constructor __proto__ A a-b struct error string 1 é".split(" ");
const name = fc.constantFrom(...names);
const number = fc.integer({ min: -3, max: 5 });

/** Schemas that need not make sense. */
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    name.map((key) => ({
      $ref: `#/components/schemas/${encodeURIComponent(key)}`,
    })),
    fc.record(
      {
        type: fc.constantFrom(
          "string",
          "integer",
          "number",
          "boolean",
          "array",
          "object",
          "null",
          ["string", "null"],
          ["integer", "array"],
        ),
        format: fc.constantFrom(
          "date-time",
          "uuid",
          "byte",
          "int32",
          "uint8",
          "odd",
        ),
        enum: fc.array(fc.oneof(fc.string(), number, fc.constant(null)), {
          maxLength: 3,
        }),
        const: fc.oneof(fc.string(), number),
        nullable: fc.boolean(),
        minimum: number,
        maximum: number,
        exclusiveMinimum: fc.oneof(number, fc.boolean()),
        minLength: number,
        maxItems: number,
        minItems: number,
        pattern: fc.constantFrom("^a$", "[", "(a+)+"),
        description: fc.string({ unit: "grapheme" }),
        example: fc.string(),
        deprecated: fc.boolean(),
        readOnly: fc.boolean(),
        required: fc.array(name, { maxLength: 3 }),
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        items: tie("schema"),
        oneOf: fc.array(tie("schema"), { maxLength: 3 }),
        anyOf: fc.array(tie("schema"), { maxLength: 3 }),
        allOf: fc.array(tie("schema"), { maxLength: 2 }),
        discriminator: fc.record({ propertyName: name }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

const parameter = fc.record({
  name,
  in: fc.constantFrom("path", "query", "header", "cookie"),
  required: fc.boolean(),
  style: fc.constantFrom("form", "deepObject", "simple"),
  schema,
});
const body = fc.record({
  required: fc.boolean(),
  content: fc.record({ "application/json": fc.record({ schema }) }),
});
const address = fc.constantFrom(
  ..."/v1 https://a.com https://b.a.com/x https://B.a.com https://{id} ftp://a".split(
    " ",
  ),
);
const operation = fc.record(
  {
    operationId: fc.oneof(name, fc.string()),
    tags: fc.array(name, { maxLength: 1 }),
    summary: fc.string(),
    parameters: fc.array(parameter, { maxLength: 4 }),
    servers: fc.array(fc.record({ url: address }), { maxLength: 1 }),
    requestBody: body,
    responses: fc.dictionary(
      fc.constantFrom("200", "201", "204", "404", "2XX", "default"),
      body,
      { maxKeys: 3 },
    ),
  },
  { requiredKeys: [] },
);
const item = fc.dictionary(
  fc.constantFrom("get", "post", "put", "patch", "delete"),
  operation,
);
const paths = fc.dictionary(
  fc.constantFrom(
    ..."/a /a/{id} /{type}/ /b/{A}.json / /a?x=1 /a#b /{type}/#/c #".split(" "),
  ),
  item,
  { minKeys: 1 },
);
const schemas = fc.tuple(...names.map(() => schema));

/** OpenAPI documents that need not make sense. */
export const arbitraryDocument = fc
  .tuple(paths, schemas)
  .map(([paths, all]) => ({
    openapi: "3.1.0",
    info: { title: "Random", version: "1" },
    paths,
    components: {
      schemas: Object.fromEntries(all.map((each, at) => [names[at], each])),
    },
  }));
