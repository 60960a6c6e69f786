import { createServer } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { compileContract } from "../../generator/compile.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { importJsonSchema } from "../../tools/import/import-json-schema.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";
import { checkDocuments } from "../support/check-documents.js";
import { importEmitted } from "../support/import-emitted.js";
import { listenForTest } from "../support/listen-for-test.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";
import { importSchemas, readImport, tagsIn } from "./import-schemas.js";

const pets = `
    Pet:
      type: object
      required: [kind]
      discriminator: { propertyName: kind }
      properties: { kind: { type: string }, friend: { $ref: "#/components/schemas/Pet" } }
    Cat:
      allOf:
        - $ref: "#/components/schemas/Pet"
        - { type: object, properties: { lives: { type: integer } } }
    Lion:
      allOf:
        - $ref: "#/components/schemas/Cat"
        - { type: object, properties: { mane: { type: boolean } } }
`;

const lost = (name: string, reason: string): string =>
  `import-wire #/components/schemas/${name}: RIDL has no union of the schemas that extend this one: ${reason}`;

test("a reference to a base is a union of the schemas that extend it", () => {
  const { notes, ridl } = importSchemas(pets, ["Pet", "Cat", "Lion"]);
  expect(notes).toEqual([]);
  expect(tagsIn(ridl, "Pet", "kind")).toEqual(["Cat", "Lion", "Pet"]);
  expect(tagsIn(ridl, "Cat", "kind")).toEqual(["Lion", "Cat"]);
  expect(ridl).toContain("struct Lion\n");
  expect(ridl.match(/- friend\?: Pet$/gmu)).toHaveLength(3);
});

test("the order in which schemas are used does not matter", () => {
  for (const first of ["Lion", "Cat", "Pet", "Owner"]) {
    const owner = `
    Owner:
      type: object
      properties: { cat: { $ref: "#/components/schemas/Lion" }, any: { $ref: "#/components/schemas/Either" } }
    Either: { oneOf: [{ $ref: "#/components/schemas/Pet" }, { $ref: "#/components/schemas/Owned" }] }
    Owned:
      type: object
      required: [kind]
      properties: { kind: { const: owned }, by: { $ref: "#/components/schemas/Owner" } }
`;
    const { notes, ridl } = importSchemas(pets + owner, [
      ...new Set([first, "Owner"]),
    ]);
    expect(notes).toEqual([]);
    expect(tagsIn(ridl, "Pet", "kind")).toEqual(["Cat", "Lion", "Pet"]);
    expect(tagsIn(ridl, "Either", "kind")).toEqual([
      ...["Cat", "Lion", "Pet", "owned"],
    ]);
  }
});

test("a union that one of its variants contains has a tag", () => {
  const schemas = `
    Leaf: { type: object, required: [kind], properties: { kind: { const: leaf } } }
    Branch:
      type: object
      required: [kind]
      properties:
        kind: { const: branch }
        left: { $ref: "#/components/schemas/Tree" }
        right:
          oneOf: [{ $ref: "#/components/schemas/Leaf" }, { $ref: "#/components/schemas/Branch" }]
    Tree: { oneOf: [{ $ref: "#/components/schemas/Leaf" }, { $ref: "#/components/schemas/Branch" }] }
`;
  for (const first of ["Branch", "Tree"]) {
    const { notes, ridl } = importSchemas(schemas, [first]);
    expect(notes).toEqual([]);
    expect(tagsIn(ridl, "Tree", "kind")).toEqual(["leaf", "branch"]);
    expect(tagsIn(ridl, "BranchRight", "kind")).toEqual(["leaf", "branch"]);
  }
});

describe("tags", () => {
  const withMapping = (mapping: string): string =>
    pets.replace("propertyName: kind }", `propertyName: kind, ${mapping} }`);

  test("are those of the mapping, before names", () => {
    const mapping = `mapping: { p: Pet, c: Cat, l: "#/components/schemas/Lion", l2: Lion }`;
    const { notes, ridl } = importSchemas(withMapping(mapping), ["Pet"]);
    expect(notes).toEqual([]);
    expect(tagsIn(ridl, "Pet", "kind")).toEqual(["c", "l|l2", "p"]);
    expect(tagsIn(ridl, "Cat", "kind")).toEqual(["l|l2", "c"]);
  });

  test("for which there is no schema are noted", () => {
    const mapping = `mapping: { c: Cat, no: "#/components/schemas/No", up: ../no.yaml, web: "https://a.com/b" }`;
    const { notes, ridl } = importSchemas(withMapping(mapping), ["Pet"]);
    expect(notes).toEqual(
      ["no", "up", "web"].map(
        (tag) =>
          `import-value #/components/schemas/Pet/discriminator/mapping/${tag}: there is no schema for the tag \`${tag}\``,
      ),
    );
    expect(tagsIn(ridl, "Pet", "kind")).toEqual(["c", "Lion", "Pet"]);
  });

  test("have a note if the document does not require them", () => {
    const schemas = pets.replace("      required: [kind]\n", "");
    const { notes, ridl } = importSchemas(schemas, ["Pet"]);
    expect(notes).toEqual(
      ["Pet"].map(
        (name) =>
          `import-value #/components/schemas/${name}/discriminator: the tag \`kind\` is not required`,
      ),
    );
    expect(tagsIn(ridl, "Pet", "kind")).toEqual(["Cat", "Lion", "Pet"]);
  });

  test("of other unions are those of the variants there", () => {
    const schemas = `${pets}
    Renamed:
      oneOf: [{ $ref: "#/components/schemas/Lion" }, { $ref: "#/components/schemas/Pup" }]
      discriminator: { propertyName: kind, mapping: { leo: Lion, pup: Pup } }
    Pup: { type: object, required: [kind], properties: { kind: { type: string } } }
`;
    const { ridl } = importSchemas(schemas, ["Pet", "Renamed"]);
    expect(tagsIn(ridl, "Pet", "kind")).toEqual(["Cat", "Lion", "Pet"]);
    expect(tagsIn(ridl, "Renamed", "kind")).toEqual(["leo", "pup"]);
  });

  test("can be any names", () => {
    const schemas = `
    Pet:
      type: object
      required: [__proto__]
      discriminator: { propertyName: __proto__, mapping: { constructor: toString, "a|'b": hasOwnProperty } }
      properties: { __proto__: { type: string } }
    toString: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
    hasOwnProperty: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
    __proto__: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
    valueOf: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
`;
    const { notes, ridl } = importSchemas(schemas, ["Pet"]);
    expect(notes).toEqual([]);
    for (const tag of [
      ...["constructor", `"'a|''b'"`, "__proto__", "valueOf", "Pet"],
    ]) {
      expect(ridl).toContain(`    + enum = ${tag}\n`);
    }
  });
});

describe("RIDL has no union", () => {
  test.each([
    [
      "of schemas with equal tags",
      "kind }",
      "kind, mapping: { Lion: Cat } }",
      "`Lion` has no value of the tag",
    ],
    [
      "without the name of a tag",
      "discriminator: { propertyName: kind }",
      "discriminator: {}",
      "the discriminator names no property",
    ],
    [
      "whose tags are numbers",
      "kind: { type: string }",
      "kind: { type: integer }",
      "the tag `kind` is no string",
    ],
    [
      "whose tags are not listed",
      "kind: { type: string }",
      "kind: { enum: [Pet, Cat] }",
      "`Lion` has no value of the tag",
    ],
    [
      "with variants that are unions",
      "{ type: object, properties: { mane: { type: boolean } } }",
      "{ oneOf: [{ type: object, properties: { a: {} } }, { type: string }] }",
      "`Lion` is not only an object",
    ],
    [
      "with two tags",
      "    Lion:",
      "      discriminator: { propertyName: type }\n    Lion:",
      "`Cat` has another discriminator",
    ],
  ])("%s", (_, before, after, reason) => {
    const { notes, ridl } = importSchemas(pets.replace(before, after), ["Pet"]);
    expect(notes).toContain(lost("Pet", reason));
    expect(ridl).toMatch(/^struct Pet$/mu);
  });

  test("of schemas that list the same value", () => {
    const schemas = `${pets}
    Puma:
      allOf: [{ $ref: "#/components/schemas/Cat" }, { properties: { kind: { const: Lion } } }]
`;
    const { notes } = importSchemas(schemas, ["Pet"]);
    expect(notes).toContain(
      lost("Pet", "`Lion` and `Puma` have the same tag `Lion`"),
    );
  });

  test("where nothing refers to the base", () => {
    const { notes } = importSchemas(
      pets
        .replace("kind: { type: string }", "kind: { type: integer }")
        .replace(/, friend.*?\} \}/u, " }"),
      ["Lion"],
    );
    expect(notes).toEqual([]);
  });

  test("of more than 256 schemas", () => {
    const many = (count: number): string =>
      Array.from(
        { length: count },
        (_, index) =>
          `    S${index}: { allOf: [{ $ref: "#/components/schemas/Pet" }, { properties: { s${index}: { type: string } } }] }\n`,
      ).join("");
    const small = importSchemas(pets + many(253), ["Pet"]);
    expect(small.notes).toEqual([]);
    expect(tagsIn(small.ridl, "Pet", "kind")).toHaveLength(256);
    const large = importSchemas(pets + many(10_000), ["Pet", "Cat"]);
    expect(large.notes).toEqual([lost("Pet", "a union has at most 256 types")]);
    expect(tagsIn(large.ridl, "Cat", "kind")).toEqual(["Lion", "Cat"]);
  }, 120_000);
});

test("bases that extend each other are unions of both", () => {
  const schemas = ["A", "B", "C"]
    .map(
      (name, index, all) => `
    ${name}:
      required: [t]
      discriminator: { propertyName: t }
      properties: { t: { type: string }, ${name}: { $ref: "#/components/schemas/${all[(index + 2) % 3]}" } }
      allOf: [{ $ref: "#/components/schemas/${all[(index + 1) % 3]}" }, { $ref: "#/components/schemas/${name}" }]`,
    )
    .join("");
  const { notes, ridl } = importSchemas(`${schemas}\n`, ["B", "A", "C"]);
  expect(notes).toEqual([]);
  for (const name of ["A", "B", "C"]) {
    const tags = tagsIn(ridl, name, "t");
    expect(tags.toSorted()).toEqual(["A", "B", "C"]);
  }
});

test("a long chain of bases takes no longer than it is", () => {
  const chain = Array.from(
    { length: 400 },
    (_, index) =>
      `    S${index}: { allOf: [{ $ref: "#/components/schemas/${index === 0 ? "Pet" : `S${index - 1}`}" }] }\n`,
  ).join("");
  const { notes, ridl } = importSchemas(pets + chain, ["Pet", "S0", "S398"]);
  expect(notes).toEqual(
    ["Pet", "S0"].map((name) => lost(name, "a union has at most 256 types")),
  );
  expect(tagsIn(ridl, "S398", "kind")).toEqual(["S399", "S398"]);
}, 60_000);

test("a base can list the schemas that extend it", () => {
  for (const list of ["oneOf", "anyOf"]) {
    const variants = `${list}: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]`;
    const dog = `    Dog: { allOf: [{ $ref: "#/components/schemas/Pet" }, { properties: { tame: { type: boolean } } }] }\n`;
    const schemas = pets.replace("Pet:", `Pet:\n      ${variants}`) + dog;
    for (const first of ["Pet", "Cat", "Lion", "Dog"]) {
      const { notes, ridl } = importSchemas(schemas, [first]);
      expect(notes).toEqual([]);
      expect(tagsIn(ridl, "Pet", "kind")).toEqual(["Lion", "Cat", "Dog"]);
      expect(tagsIn(ridl, "Cat", "kind")).toEqual(["Lion", "Cat"]);
      expect(ridl).toMatch(/^struct Dog$/mu);
    }
  }
});

test("a union of objects is no text in a query", () => {
  const text = `openapi: 3.1.0
info: { title: a, version: 1.0.0 }
paths:
  /a:
    get:
      parameters: [{ name: pet, in: query, schema: { $ref: "#/components/schemas/Pet" } }]
      responses: { "204": { description: OK } }
components:
  schemas:${pets}`;
  const imported = importOpenapi("a.yaml", () => ({ text }), "a");
  expect(readImport(imported).notes).toEqual([
    "import-wire #/paths/~1a/get/parameters/0: RIDL has no objects in the query",
  ]);
});

test("schemas without names that extend a base are noted", () => {
  const schemas = `${pets}
    Owner:
      type: object
      properties:
        first: { allOf: [{ $ref: "#/components/schemas/Pet" }, { required: [friend] }] }
        second: { allOf: [{ $ref: "#/components/schemas/Pet" }], description: It. }
`;
  expect(importSchemas(schemas, ["Owner"]).notes).toEqual([
    "import-wire #/components/schemas/Owner/properties/first: values can be of a schema that extends `Pet`",
  ]);
});

test("bases are unions in Swagger 2, JSON Schema, and several files", () => {
  const swagger = `swagger: "2.0"
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
  const first = readImport(
    importOpenapi("a.yaml", () => ({ text: swagger }), "a"),
  );
  expect(first.notes).toEqual([]);
  expect(tagsIn(first.ridl, "Pet", "kind")).toEqual(["Cat", "Pet"]);

  const schemas = `$defs:${pets.replaceAll("components/schemas", "$defs")}`;
  const mapped = schemas.replace(" kind }", " kind, mapping: { c: Cat } }");
  const second = readImport(
    importJsonSchema("a.yaml", () => ({ text: mapped }), "a"),
  );
  expect(second.notes).toEqual([]);
  expect(tagsIn(second.ridl, "Pet", "kind")).toEqual(["c", "Lion", "Pet"]);

  const files = new Map([
    [
      "a.yaml",
      `openapi: 3.0.0
info: { title: a, version: 1.0.0 }
paths:
  /pet:
    get:
      responses:
        "200": { description: OK, content: { application/json: { schema: { $ref: pet.yaml } } } }
components: { schemas: { Cat: { $ref: cat.yaml }, Animal: { $ref: pet.yaml } } }
`,
    ],
    [
      "pet.yaml",
      "{ type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind, mapping: { c: cat.yaml } } }",
    ],
    [
      "cat.yaml",
      "{ allOf: [{ $ref: pet.yaml }, { type: object, properties: { lives: { type: integer } } }] }",
    ],
  ]);
  const read = (path: string) => {
    const text = files.get(path);
    return text === undefined ? { fault: "no" } : { text };
  };
  const third = readImport(importOpenapi("a.yaml", read, "a"));
  expect(third.notes).toEqual([]);
  expect(third.ridl).toMatch(/\+ tag = kind/u);
  expect(third.ridl.match(/\+ enum = (?:c|Animal)$/gmu)).toHaveLength(2);
});

describe("an imported base", () => {
  const options = {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  } as const;
  const text = `openapi: 3.0.0
info: { title: Zoo, version: 1.0.0 }
tags: [{ name: pets }]
paths:
  /pets:
    post:
      tags: [pets]
      operationId: createPet
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
      responses:
        "200":
          description: OK
          content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
components:
  schemas:${pets}`;
  let code: Exports = {};

  beforeAll(async () => {
    const { documents } = importOpenapi("a.yaml", () => ({ text }), "a");
    const reader = { read: (path: string) => documents?.get(path) ?? null };
    expect(checkDocuments(["a.ridl"], reader).diagnostics).toEqual([]);
    const { value } = compileContract(["a.ridl"], reader);
    if (value === null) throw new Error("the contract has errors");
    code = await importEmitted(
      emitContract(value, emitters, options, { runtimeSources: new Map() }),
      ['export * from "/client.js";', 'export * from "/server.js";'],
    );
  });

  const values = [
    { kind: "Pet" },
    { kind: "Cat", lives: 7 },
    { kind: "Lion", lives: 1, mane: true, friend: { kind: "Cat", lives: 9 } },
  ];

  test("keeps the fields of subtypes in requests and responses over HTTP", async () => {
    const seen: unknown[] = [];
    const handler = ({ pet }: { readonly pet: unknown }) => {
      seen.push(pet);
      return { pet };
    };
    const create = exportedFunction(code, "createZooServer");
    const server = create({ handlers: { pets: { createPet: handler } } });
    const { url } = await listenForTest(
      createServer(toNodeHandler(server as RpcServer)),
    );
    // A caller that does not know the contract sends the JSON of the document.
    for (const value of values) {
      const response = await fetch(`${url}/pets`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(value),
      });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(value);
    }
    const unknown = await fetch(`${url}/pets`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"kind":"Tiger"}',
    });
    expect(unknown.status).toBe(400);
    const client = exportedFunction(code, "createPetsClient")({ baseUrl: url });
    const send = exportedFunction(client as Exports, "createPet");
    for (const pet of values) expect(await send({ pet })).toEqual({ pet });
    expect(seen).toEqual([...values, ...values]);
  });
});
