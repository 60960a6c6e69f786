import fc from "fast-check";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { docsOf } from "../../generator/4-emit/typescript/text/docs.js";
import {
  typeText,
  type Doc,
} from "../../generator/4-emit/typescript/text/format.js";
import { formsOf } from "../../generator/4-emit/typescript/text/forms.js";
import { printStructure } from "../../generator/4-emit/typescript/text/print-structure.js";
import {
  arrayOf,
  callOf,
  genericOf,
  linesObjectOf,
  objectOf,
  pureCallOf,
  unionOf,
} from "../../generator/4-emit/typescript/text/shapes.js";
import {
  kinds,
  type Structure,
} from "../../generator/4-emit/typescript/text/structures.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { printByMorph, syntaxOf } from "../support/syntax-of.js";

const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

const name = fc
  .integer({ min: 1, max: 40 })
  .map((length) => "Abcdefghij".repeat(4).slice(0, length));
const names = fc.uniqueArray(name, { maxLength: 4 });
const docs = fc
  .array(fc.constantFrom("What it is.", "A `code`.", ""), { maxLength: 3 })
  .map((lines) => docsOf(lines.length === 0 ? [] : [...lines, "The end."]));
const type: fc.Arbitrary<Doc> = fc.oneof(
  name,
  fc.tuple(name, name, name).map(([of, ...args]) => genericOf(of, args)),
  fc.uniqueArray(name, { minLength: 2, maxLength: 4 }).map(unionOf),
);
const entries = names.map((all) => all.map((each) => `${each}: 1`));
const value: fc.Arbitrary<Doc> = fc.oneof(
  names.map(arrayOf),
  entries.map(objectOf),
  entries.map((all) => [linesObjectOf(all), typeText(" as const")]),
  fc
    .tuple(name, names, entries)
    .map(([callee, [path], all]) =>
      pureCallOf(callee, path === undefined ? [] : [`"${path}"`], all),
    ),
);
const parameters = fc
  .tuple(names, type, fc.boolean())
  .map(([all, type, hasQuestionToken]) =>
    all.map((name, index) => ({
      name,
      type,
      ...(index === all.length - 1 && { hasQuestionToken }),
    })),
  );
const statements: fc.Arbitrary<Doc[]> = fc.array(
  fc.tuple(name, names).map(([callee, args]) => [callOf(callee, args), ";"]),
  { maxLength: 2 },
);
const typeParameters = fc.constantFrom<string[]>([], ["State = undefined"]);

const declared = { docs, isExported: fc.boolean(), name };

/** Imported or exported names, some of which may be types. */
const specified = fc
  .record({
    isTypeOnly: fc.boolean(),
    moduleSpecifier: name.map((each) => `./${each}.js`),
    names: fc.array(
      fc.record(
        {
          name,
          alias: name.map((each) => `${each}_`),
          isTypeOnly: fc.boolean(),
        },
        { requiredKeys: ["name"] },
      ),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ isTypeOnly, names, ...rest }) => ({
    ...rest,
    isTypeOnly,
    names: names.map((each) => ({
      ...each,
      isTypeOnly: each.isTypeOnly === true && !isTypeOnly,
    })),
  }));

const property = fc.record({
  kind: fc.constant(kinds.propertySignature),
  docs,
  name,
  type,
  hasQuestionToken: fc.boolean(),
  isReadonly: fc.boolean(),
});
const method = fc.record({
  kind: fc.constant(kinds.methodSignature),
  docs,
  name,
  parameters,
  returnType: type,
});

/** Structures of every kind, with names of various lengths. */
const structures: Readonly<Record<string, fc.Arbitrary<Structure>>> = {
  class: fc.record({
    kind: fc.constant(kinds.class),
    ...declared,
    extends: fc
      .tuple(name, name)
      .map(([base, word]): Doc => [base, typeText(`<"${word}">`)]),
    properties: fc.array(
      fc.record({
        name,
        isStatic: fc.constant(true),
        hasOverrideKeyword: fc.boolean(),
        isReadonly: fc.boolean(),
        initializer: name.map((each) => `"${each}"`),
      }),
      { maxLength: 2 },
    ),
    ctors: fc
      .tuple(parameters, statements)
      .map(([parameters, statements]) => [{ parameters, statements }]),
  }),
  "class that extends nothing": fc.record({
    kind: fc.constant(kinds.class),
    ...declared,
  }),
  export: specified.map(({ names, ...rest }) => ({
    kind: kinds.export,
    ...rest,
    namedExports: names,
  })),
  "export of all": name.map((file) => ({
    kind: kinds.export,
    moduleSpecifier: `./${file}.js`,
  })),
  function: fc.record({
    kind: fc.constant(kinds.function),
    ...declared,
    typeParameters,
    parameters,
    returnType: type,
    statements,
  }),
  import: specified.map(({ names, ...rest }) => ({
    kind: kinds.import,
    ...rest,
    namedImports: names,
  })),
  interface: fc.record({
    kind: fc.constant(kinds.interface),
    ...declared,
    typeParameters,
    extends: fc.array(name, { maxLength: 1 }),
    properties: fc.array(property, { maxLength: 2 }),
    methods: fc.array(method, { maxLength: 2 }),
  }),
  "interface that extends several": fc.record({
    kind: fc.constant(kinds.interface),
    ...declared,
    extends: fc.uniqueArray(name, { minLength: 2, maxLength: 4 }),
    properties: fc.array(property, { minLength: 1, maxLength: 2 }),
  }),
  "type alias": fc.record({
    kind: fc.constant(kinds.typeAlias),
    ...declared,
    typeParameters,
    type,
  }),
  constant: fc
    .record({
      docs,
      isExported: fc.boolean(),
      variable: fc.record(
        { name, type, initializer: value, declaredType: type },
        { requiredKeys: ["name", "initializer", "declaredType"] },
      ),
    })
    .map(({ variable, ...rest }) => ({
      kind: kinds.variable,
      ...rest,
      declarationKind: "const",
      declarations: [variable],
    })),
};

const forms = (["typescript", "javascript"] as const).flatMap((language) =>
  formsOf({ ...options, language }),
);

describe.each(Object.entries(structures))("a structure: %s", (_, structure) => {
  it("is printed with the same meaning as by ts-morph's printer", () => {
    fc.assert(
      fc.property(structure, (each) => {
        const [typescript] = formsOf(options);
        const ours = typescript && printStructure(each, typescript);
        expect(syntaxOf(ours ?? "")).toEqual(syntaxOf(printByMorph(each)));
      }),
      { numRuns: 50 },
    );
  });

  it("is printed in Prettier's format, in every language", async () => {
    await fc.assert(
      fc.asyncProperty(structure, async (each) => {
        for (const form of forms) {
          const text = printStructure(each, form);
          if (text === null) continue;
          const filepath = `file${form.ending}`;
          expect(await format(text, { filepath })).toBe(`${text}\n`);
        }
      }),
      { numRuns: 30 },
    );
  });
});
