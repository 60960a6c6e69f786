// Creates a [Standard Schema](../../schemas.md) from a generated validator. The `schemas` target generates calls to these functions.
import * as schema from "@ridlkit/runtime/codegen/create-schemas";
import type { SchemaJson, SchemaWithJson } from "@ridlkit/runtime/schema";
import { checkBook } from "../generated/validators.js";
import type { Book } from "../generated/types.js";

const bookSchema = schema.schemaOf<Book>(checkBook);
const checked = bookSchema["~standard"].validate({ isbn: "1" });
console.log(checked.issues?.map(({ path }) => path)); // [["title"], ["cents"]]

// Describe the schema as JSON Schema. `refs` would list the types that the schema refers to.
const json: SchemaJson = {
  name: "Book",
  input: { type: "object", required: ["isbn", "title", "cents"] },
  refs: () => [],
};
const described: SchemaWithJson<Book> = schema.schemaWithJson(bookSchema, json);
const { jsonSchema } = described["~standard"];
console.log(jsonSchema.input({ target: "draft-2020-12" }).required);

// The list `dates` contains `Date`s in TypeScript and strings in JSON.
const eventSchema = schema.convertingSchemaOf<{ dates: Date[] }>(
  () => {},
  () => ({ dates: schema.formOfEach(schema.dateForm) }),
);
console.log(
  eventSchema["~standard"].validate({ dates: ["2026-01-31T12:00:00Z"] }),
);

// A union has the form of its variant. Here, text is a `Date` in TypeScript.
const momentSchema = schema.convertingUnionOf<Date | number>(
  () => {},
  (value) => (typeof value === "number" ? null : schema.dateForm),
);
console.log(momentSchema["~standard"].validate("2026-01-31T12:00:00Z"));

// A schema that collects extra members accepts both forms.
const openSchema = schema.collectingSchemaOf(
  () => {},
  new Set(["id"]),
  "more",
  false,
  () => ({}),
);
console.log(openSchema["~standard"].validate({ id: 1, color: "red" })); // { value: { id: 1, more: { color: "red" } } }
