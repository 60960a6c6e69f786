import { expect, test } from "vitest";
import { importSchemas, tagsIn } from "./import-schemas.js";

const dogs = `
    Dog: { type: object, required: [kind], properties: { kind: { type: string }, type: { type: string } } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string }, lives: { type: integer } } }
    ByKind:
      oneOf: [{ $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind, mapping: { dog: Dog, cat: Cat } }
`;

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
