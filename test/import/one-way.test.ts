import { expect, test } from "vitest";
import { importOpenapi } from "../../tools/import/import-openapi.js";
import { readImport } from "./import-schemas.js";

/** Imports an operation with a request and a response, and its schemas. */
function importPair(
  request: string,
  response: string,
  schemas: string,
  extra = "",
) {
  const content = (schema: string): string =>
    `content: { application/json: { schema: ${schema} } }`;
  const text = `openapi: 3.1.0
info: { title: a, version: 1.0.0 }
${extra}
paths:
  /a:
    post:
      requestBody: { required: true, ${content(request)} }
      responses: { "200": { description: OK, ${content(response)} } }
components:
  schemas:${schemas}`;
  return readImport(importOpenapi("a.yaml", () => ({ text }), "a"));
}

const refTo = (name: string): string =>
  `{ $ref: "#/components/schemas/${name}" }`;

test("schemas that YAML copies are each part of their own message", () => {
  const audit = `x-audit: &audit
  createdAt: { type: string, readOnly: true }
x-user: &user
  type: object
  required: [secret, createdAt]
  properties:
    <<: *audit
    secret: { type: string, writeOnly: true }`;
  const schemas = `
    NewUser: *user
    User: *user
`;
  const { notes, ridl } = importPair(
    refTo("NewUser"),
    refTo("User"),
    schemas,
    audit,
  );
  expect(notes).toEqual([]);
  expect(ridl).toContain(
    "struct NewUser\n  - secret: string\n  - createdAt?: string\n",
  );
  expect(ridl).toContain(
    "struct User\n  - secret?: string\n  - createdAt: string\n",
  );
});

const pets = `
    Pet:
      type: object
      required: [kind]
      discriminator: { propertyName: kind }
      properties: { kind: { type: string } }
    Cat:
      allOf:
        - { $ref: "#/components/schemas/Pet" }
        - { required: [id], properties: { id: { type: string, readOnly: true } } }
    Dog:
      allOf:
        - { $ref: "#/components/schemas/Pet" }
        - { required: [id], properties: { id: { type: string, readOnly: true } } }
    Plain: { type: object, properties: { a: { type: string } } }
`;

/** Returns whether structs have an optional field \`id\`. */
function optionalIds(ridl: string): readonly string[] {
  const found = ridl.matchAll(
    /^struct (\w+)\n(?: .*\n)*? {2}- id\?: string$/gmu,
  );
  return [...found].map(([, name = ""]) => name);
}

test("schemas that extend another one are part of its messages", () => {
  const { notes, ridl } = importPair(refTo("Pet"), refTo("Plain"), pets);
  expect(optionalIds(ridl)).toEqual(["Cat", "Dog"]);
  expect(notes).toEqual([]);
  const both = importPair(refTo("Pet"), refTo("Pet"), pets);
  expect(both.notes.map((note) => note.replace(/:.*/u, ""))).toEqual([
    "import-value #/components/schemas/Cat/allOf/1/properties/id/readOnly",
    "import-value #/components/schemas/Dog/allOf/1/properties/id/readOnly",
  ]);
  const copy = `{ allOf: [${refTo("Pet")}], description: It. }`;
  const documented = importPair(copy, refTo("Plain"), pets);
  expect(optionalIds(documented.ridl)).toEqual(["Cat", "Dog"]);
});

test("schemas are no part of the messages of those beside them", () => {
  const { notes, ridl } = importPair(refTo("Cat"), refTo("Dog"), pets);
  expect(optionalIds(ridl)).toEqual(["Cat"]);
  expect(notes).toEqual([]);
  const beside = `{ type: object, properties: { cat: ${refTo("Cat")}, pet: ${refTo("Pet")} } }`;
  const whole = importPair(beside, refTo("Plain"), pets);
  expect(optionalIds(whole.ridl)).toEqual(["Cat", "Dog"]);
});

test("keywords beside a reference are part of its messages", () => {
  const schemas = `${pets}
    Named:
      $ref: "#/components/schemas/Plain"
      required: [id]
      properties: { id: { type: string, readOnly: true } }
`;
  const { notes, ridl } = importPair(refTo("Named"), refTo("Plain"), schemas);
  expect(optionalIds(ridl)).toEqual(["Named"]);
  expect(notes).toEqual([]);
});

test("the data of several events is part of their response", () => {
  const event = (name: string): string =>
    `{ type: object, properties: { event: { const: ${name} }, data: { type: object, required: [id, ${name}], properties: { ${name}: { type: string }, id: { type: string, writeOnly: true } } } } }`;
  const text = `openapi: 3.1.0
info: { title: a, version: 1.0.0 }
paths:
  /a:
    get:
      responses:
        "200": { description: OK, content: { text/event-stream: { itemSchema: { oneOf: [${event("a")}, ${event("b")}] } } } }
`;
  const { ridl } = readImport(importOpenapi("a.yaml", () => ({ text }), "a"));
  expect(optionalIds(ridl)).toHaveLength(2);
});
