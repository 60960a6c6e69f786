import { expect, test } from "vitest";
import { importJsonSchema } from "../../tools/import/import-json-schema.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";

const pets = `
    Pet:
      type: object
      discriminator: { propertyName: kind }
      required: [kind]
      properties: { kind: { type: string } }
    Cat:
      allOf:
        - $ref: "#/components/schemas/Pet"
        - { type: object, properties: { lives: { type: integer } } }
    Lion:
      allOf:
        - $ref: "#/components/schemas/Cat"
        - { type: object, properties: { mane: { type: boolean } } }
`;

const dogs = `
    Dog: { type: object, required: [kind], properties: { kind: { type: string }, type: { type: string } } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string }, lives: { type: integer } } }
    ByKind:
      oneOf: [{ $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind, mapping: { dog: Dog, cat: Cat } }
`;

/** Imports schemas, of which some are the responses of operations. */
function importSchemas(schemas: string, used: readonly string[]) {
  const paths = used.map(
    (name) => `
  /${name}:
    get:
      responses:
        "200":
          description: OK
          content: { application/json: { schema: { $ref: "#/components/schemas/${name}" } } }`,
  );
  const text = `openapi: 3.1.0
info: { title: a, version: 1.0.0 }
paths:${paths.join("")}
components:
  schemas:${schemas}`;
  const imported = importOpenapi("a.yaml", () => ({ text }), "a");
  return read(imported);
}

function read({ diagnostics, documents }: ReturnType<typeof importOpenapi>) {
  return {
    ridl: documents?.get("a.ridl") ?? "",
    notes: diagnostics.map(
      ({ code, message, notes = [] }) =>
        `${code} ${/`(#.*)`/u.exec(notes[0] ?? "")?.[1]}: ${message}`,
    ),
  };
}

const losesFields = (
  name: string,
  subtype: string,
  at = "components/schemas",
) =>
  `import-wire #/${at}/${name}: values can be of a schema that extends this one, such as \`${subtype}\``;

test("notes the fields of schemas that extend one with a discriminator", () => {
  expect(importSchemas(pets, ["Pet"]).notes).toEqual([
    losesFields("Pet", "Cat"),
  ]);
  expect(importSchemas(pets, ["Cat"]).notes).toEqual([
    losesFields("Cat", "Lion"),
  ]);
  expect(importSchemas(pets, ["Lion"]).notes).toEqual([]);
  const mapped = pets.replace("kind }\n", "kind, mapping: { c: Cat } }\n");
  expect(importSchemas(mapped, ["Pet"]).notes).toEqual([
    losesFields("Pet", "Cat"),
  ]);
});

test("notes such fields once, also where a property refers to the schema", () => {
  const owner = `
    Owner:
      type: object
      properties:
        pet: { $ref: "#/components/schemas/Pet" }
        pets: { type: array, items: { $ref: "#/components/schemas/Pet" } }
`;
  const { notes } = importSchemas(pets + owner, ["Owner", "Pet"]);
  expect(notes).toEqual([losesFields("Pet", "Cat")]);
  const text = `$defs:${(pets + owner).replaceAll("components/schemas", "$defs")}`;
  const imported = importJsonSchema("a.yaml", () => ({ text }), "a");
  expect(read(imported).notes).toEqual([losesFields("Pet", "Cat", "$defs")]);
});

test("notes the fields of schemas in the mapping of a discriminator", () => {
  const notesFor = (mapping: string): readonly string[] =>
    importSchemas(
      `
    Cat: { type: object, properties: { kind: { type: string }, lives: { type: integer } } }
    Pet:
      type: object
      discriminator: { propertyName: kind, mapping: { ${mapping} } }
      required: [kind]
      properties: { kind: { type: string } }
`,
      ["Pet"],
    ).notes;
  const note = [losesFields("Pet", "Cat")];
  expect(notesFor("c: Cat")).toEqual(note);
  expect(notesFor(`p: Pet, c: "#/components/schemas/Cat"`)).toEqual(note);
  expect(notesFor("p: Pet")).toEqual([]);
  expect(notesFor(`d: "#/components/schemas/Missing"`)).toEqual([]);
});

test("notes such fields in Swagger 2", () => {
  const text = `swagger: "2.0"
info: { title: a, version: 1.0.0 }
paths:
  /pet:
    get:
      responses: { "200": { description: OK, schema: { $ref: "#/definitions/Pet" } } }
definitions:
  Pet:
    type: object
    discriminator: kind
    required: [kind]
    properties: { kind: { type: string } }
  Cat:
    allOf: [{ $ref: "#/definitions/Pet" }, { properties: { lives: { type: integer } } }]
`;
  const { notes } = read(importOpenapi("a.yaml", () => ({ text }), "a"));
  expect(notes).toEqual([losesFields("Pet", "Cat")]);
});

test("notes no fields that the struct keeps, or that a union has", () => {
  const open = pets.replace("required: [kind]", "additionalProperties: true");
  expect(importSchemas(open, ["Pet"]).notes).toEqual([]);
  const union = `${pets}
    AnyPet:
      oneOf: [{ $ref: "#/components/schemas/Lion" }]
      discriminator: { propertyName: kind }
`;
  expect(importSchemas(union, ["AnyPet"]).notes).toEqual([]);
});

/** Returns the variants of a union with the values of a field. */
function tagsIn(ridl: string, union: string, tag: string): readonly string[] {
  const pattern = `^type ${union}: any\n  \\+ oneOf = (.*)`;
  const names = new RegExp(pattern, "mu").exec(ridl)?.[1] ?? "";
  return names.split("|").map((name) => {
    const body = new RegExp(`^struct ${name}\n((?: .*\n)*)`, "mu").exec(ridl);
    const field = `- ${tag}: string\n(?:    \\+ .*\n)*?    \\+ enum = (.*)`;
    return new RegExp(field, "u").exec(body?.[1] ?? "")?.[1] ?? "any";
  });
}

test("unions with the same variants and other tags have their own values", () => {
  const schemas = `${dogs}
    ByName:
      oneOf: [{ $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind }
    Swapped:
      oneOf: [{ $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind, mapping: { cat: Dog, dog: Cat } }
    Same:
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
      discriminator: { propertyName: kind }
`;
  const used = ["ByKind", "ByName", "Swapped", "Same"];
  const { notes, ridl } = importSchemas(schemas, used);
  expect(tagsIn(ridl, "ByKind", "kind")).toEqual(["dog", "cat"]);
  expect(tagsIn(ridl, "ByName", "kind")).toEqual(["Dog", "Cat"]);
  expect(tagsIn(ridl, "Swapped", "kind")).toEqual(["cat", "dog"]);
  expect(tagsIn(ridl, "Same", "kind")).toEqual(["Cat", "Dog"]);
  expect(ridl.match(/^struct /gmu)).toHaveLength(6);
  const noteOf = (union: string, name: string): string =>
    `import-value #/components/schemas/${union}/discriminator: \`${name}\` has another tag in another union`;
  expect(notes.sort()).toEqual(
    ["ByName", "Same", "Swapped"].flatMap((union) =>
      ["Cat", "Dog"].map((name) => noteOf(union, name)),
    ),
  );
});

test("a union does not require the tag of another union", () => {
  const schemas = `${dogs}
    Bird: { type: object, required: [type], properties: { type: { type: string } } }
    ByType:
      oneOf: [{ $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Bird" }]
      discriminator: { propertyName: type }
`;
  const { ridl } = importSchemas(schemas, ["ByKind", "ByType"]);
  expect(tagsIn(ridl, "ByKind", "kind")).toEqual(["dog", "cat"]);
  expect(tagsIn(ridl, "ByKind", "type")).toEqual(["any", "any"]);
  expect(tagsIn(ridl, "ByType", "type")).toEqual(["Dog", "Bird"]);
  expect(tagsIn(ridl, "ByType", "kind")).toEqual(["any", "any"]);
});

test("unions keep values that the document lists", () => {
  const listed = dogs.replace(
    "kind: { type: string }",
    "kind: { enum: [dog] }",
  );
  const schemas = `${listed}
    ByName:
      oneOf: [{ $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Bird" }]
      discriminator: { propertyName: kind }
    Bird: { type: object, required: [kind], properties: { kind: { type: string } } }
`;
  const { notes, ridl } = importSchemas(schemas, ["ByKind", "ByName"]);
  expect(tagsIn(ridl, "ByKind", "kind")).toEqual(["dog", "cat"]);
  expect(tagsIn(ridl, "ByName", "kind")).toEqual(["dog", "Bird"]);
  expect(notes).toEqual([]);
});
