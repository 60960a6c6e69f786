import type {
  StandardJSONSchemaV1,
  StandardSchemaV1,
} from "@standard-schema/spec";
import { expect, expectTypeOf, it } from "vitest";
import { createContext, runInContext } from "node:vm";
import type {
  ConvertingSchema,
  ConvertingSchemaWithJson,
  InputOf,
  Schema,
  SchemaJson,
} from "../../../runtime/typescript/wire/schema.js";
import {
  bigintForm,
  bytesForm,
  convertingSchemaOf,
  dateForm,
  floatForm,
  formOfEach,
  int64Form,
  integerTextForm,
  schemaOf,
  schemaWithJson,
} from "../../../runtime/typescript/codegen/create-schemas.js";
import {
  dropNull,
  listOf,
  mapOf,
} from "../../../runtime/typescript/codegen/checks.js";
import {
  isBase64,
  isBigintText,
  isFloat,
  isInt64,
  isRecord,
  isTimestamp,
} from "../../../runtime/typescript/values/validation.js";
import {
  maxFailures,
  type Predicate,
} from "../../../runtime/typescript/values/report.js";
import type { Check } from "../../../runtime/typescript/values/validation.js";
import type { FileData } from "../../../runtime/typescript/wire/file-data.js";

/** Returns a check for an object with one field, as in generated code. */
function checkOf(predicate: Predicate, title: string): Check {
  return (value, report) => {
    if (!isRecord(value)) return report.fail("an object", value);
    if (value["it"] === null) dropNull(value, "it", report);
    else if (value["it"] !== undefined && !predicate(value["it"]))
      report.failAt("it", title, value["it"]);
  };
}

const checkNote = checkOf((it) => typeof it === "string", "a string");

interface Note {
  readonly it?: string;
}
const noteSchema: Schema<Note> = schemaOf(checkNote);

interface Tree {
  readonly date?: Date;
  readonly branches?: Tree[];
  readonly byName?: Record<string, Tree>;
}
const checkTrees = listOf(checkTree);
const checkTreesByName = mapOf(checkTree);
const treeSchema: ConvertingSchema<Tree> = convertingSchemaOf(
  checkTree,
  () => ({
    date: dateForm,
    branches: formOfEach(treeSchema),
    byName: formOfEach(treeSchema),
  }),
);

const checkByName: readonly [string, Check][] = [
  ["branches", checkTrees],
  ["byName", checkTreesByName],
];

function checkTree(...[value, report]: Parameters<Check>): void {
  if (!isRecord(value)) return report.fail("an object", value);
  const { date } = value;
  if (date === null) dropNull(value, "date", report);
  else if (date !== undefined && !isTimestamp(date))
    report.failAt("date", "a timestamp", date);
  for (const [key, check] of checkByName) {
    if (value[key] === undefined) continue;
    report.enter(key);
    check(value[key], report);
    report.leave();
  }
}

function validate(schema: Schema<unknown>, value: unknown) {
  return schema["~standard"].validate(value);
}

it("is a Standard Schema with the declared types", () => {
  const schema: StandardSchemaV1<Note> = noteSchema;
  expect(schema["~standard"]).toMatchObject({ version: 1, vendor: "ridlkit" });
  expectTypeOf<
    StandardSchemaV1.InferOutput<typeof noteSchema>
  >().toEqualTypeOf<Note>();
  expectTypeOf<
    StandardSchemaV1.InferInput<typeof noteSchema>
  >().toEqualTypeOf<Note>();
  const converting: StandardSchemaV1<InputOf<Tree>, Tree> = treeSchema;
  expectTypeOf<
    StandardSchemaV1.InferOutput<typeof treeSchema>
  >().toEqualTypeOf<Tree>();
  expectTypeOf<{
    date?: string;
    branches?: { date?: Date | string }[];
  }>().toExtend<StandardSchemaV1.InferInput<typeof converting>>();
});

it("has an input type that accepts both forms of each type", () => {
  interface All {
    readonly id: bigint | null;
    readonly at?: Date[];
    readonly bytes: Record<string, Uint8Array>;
    readonly any: unknown;
    readonly name: "a" | "b";
    readonly file: FileData;
  }
  expectTypeOf<InputOf<All>>().toEqualTypeOf<{
    readonly id: bigint | number | string | null;
    readonly at?: (Date | string)[];
    readonly bytes: Record<string, Uint8Array | string>;
    readonly any: unknown;
    readonly name: "a" | "b";
    readonly file: FileData;
  }>();
});

const date = new Date("2026-02-28T12:00:00.5Z");
const bytes = Uint8Array.of(0, 255);
const big = 2n ** 63n;

it.each([
  ["bigint", bigintForm, isBigintText, ["7", 7, 7n], 7n],
  ["bigint beyond 64 bits", bigintForm, isBigintText, [`${big}`, big], big],
  ["int64", int64Form, isInt64, ["-7", -7, -7n], -7n],
  ["Date", dateForm, isTimestamp, [date, "2026-02-28T13:00:00.5+01:00"], date],
  [
    "Uint8Array",
    bytesForm,
    isBase64,
    [bytes, Buffer.from(bytes), "AP8="],
    bytes,
  ],
  ["float", floatForm, isFloat, [7, 7n], 7],
  ["text", integerTextForm, () => true, ["7", 7, 7n], "7"],
] as const)(
  "converts each form of %s to the TypeScript form",
  (title, form, predicate, given, expected) => {
    const check = checkOf(predicate, title);
    const schema = convertingSchemaOf<unknown>(check, () => ({ it: form }));
    for (const it of given) {
      const value = { it, other: it };
      expect(validate(schema, value)).toEqual({
        value: { it: expected, other: it },
      });
      expect(value).toEqual({ it, other: it });
    }
    expect(validate(schema, { it: null })).toEqual({ value: {} });
    expect(validate(schema, {})).toEqual({ value: {} });
  },
);

it.each([
  ["an integer", bigintForm, isBigintText, ["", "1.5", 1.5, 2 ** 60, true, {}]],
  ["an integer", int64Form, isInt64, ["", "1e3", 1.5, 2 ** 60, big, `${big}`]],
  [
    "a time",
    dateForm,
    isTimestamp,
    ["", "now", new Date(NaN), 0, date.getTime()],
  ],
  ["bytes", bytesForm, isBase64, ["?", [0], Float64Array.of(0), 0]],
] as const)(
  "rejects values in neither form of %s",
  (title, form, predicate, given) => {
    const check = checkOf(predicate, title);
    const schema = convertingSchemaOf<unknown>(check, () => ({ it: form }));
    for (const it of given) {
      expect(validate(schema, { it })).toMatchObject({
        issues: [
          {
            message: `expected ${title}`,
            path: ["it"],
          },
        ],
      });
    }
  },
);

it("asks for an integer even if the wire format requires a string", () => {
  const check = checkOf(
    isBigintText,
    "a string that represents an integer from 1 to 9",
  );
  const schema = convertingSchemaOf<unknown>(check, () => ({ it: bigintForm }));
  expect(validate(schema, { it: "abc" })).toMatchObject({
    issues: [{ message: "expected an integer from 1 to 9" }],
  });
});

it("reports the location of a fault for any keys", () => {
  const value = {
    branches: [{}, { byName: { "a.b[0]": { date: "x" }, c: 1 } }],
  };
  const path = ["branches", 1, "byName"];
  expect(validate(treeSchema, value)).toEqual({
    issues: [
      {
        message: "expected a timestamp",
        path: [...path, "a.b[0]", "date"],
      },
      { message: "expected an object", path: [...path, "c"] },
    ],
  });
  for (const other of [7, "ab", null, []]) {
    expect(validate(treeSchema, other)).toEqual({
      issues: [{ message: "expected an object", path: [] }],
    });
    expect(validate(treeSchema, { byName: { a: other } })).toMatchObject({
      issues: [{ message: "expected an object" }],
    });
  }
  for (const branches of [7, "ab", {}]) {
    expect(validate(treeSchema, { branches })).toEqual({
      issues: [{ message: "expected a list", path: ["branches"] }],
    });
  }
});

it("hides the keys of sensitive maps", () => {
  const check = mapOf((value, report) => report.fail("a string", value));
  const schema = schemaOf<unknown>((value, report) => {
    report.hidden += 1;
    check(value, report);
    report.hidden -= 1;
  });
  expect(validate(schema, { s3cret: 7 })).toEqual({
    issues: [{ message: "expected a string", path: ["*"] }],
  });
});

it("reports a limited number of issues", () => {
  const list = listOf((value, report) => {
    for (const key of ["a", "b", "c"]) report.failAt(key, "a string", value);
  });
  const { issues } = Object(
    validate(schemaOf(list), Array.from({ length: 50 })),
  );
  expect(issues).toHaveLength(maxFailures);
});

it("treats NaN, the value of an empty number input, as absent", () => {
  const check = checkOf(isFloat, "a number");
  const list = listOf(check);
  const schema: Schema<unknown> = schemaOf(list);
  expect(validate(schema, [{ it: NaN }])).toEqual({ value: [{}] });
  expect(validate(schema, [NaN])).toEqual({
    issues: [{ message: "expected an object", path: [0] }],
  });
});

it("returns a copy and does not change its input", () => {
  const value = { date: null, branches: [{ date: null }], extra: [null] };
  const before = structuredClone(value);
  expect(validate(treeSchema, value)).toEqual({
    value: { branches: [{}], extra: [null] },
  });
  expect(value).toEqual(before);
});

it("keeps null in lists and where it is a valid value", () => {
  const schema = convertingSchemaOf<unknown>(
    () => {},
    () => ({ it: dateForm, all: formOfEach(dateForm) }),
  );
  const value = { it: null, all: [null, date] };
  expect(validate(schema, value)).toEqual({ value });
});

it("accepts its own output", () => {
  const value = { date, byName: { a: { branches: [{ date }] } } };
  expect(validate(treeSchema, value)).toEqual({ value });
});

it("keeps files, functions, and instances in undeclared values", () => {
  const extra = [
    new Blob(["x"]),
    new Map(),
    () => 1,
    new (class {
      type = "";
      stream() {}
    })(),
  ];
  const result = noteSchema["~standard"].validate({ extra });
  const kept: unknown = Object(result.issues ?? result.value).extra;
  expect(
    Array.isArray(kept) && kept.every((item, at) => item === extra[at]),
  ).toBe(true);
});

it("also copies instances of classes", () => {
  class Entity {
    date = null;
  }
  const entity = new Entity();
  expect(validate(treeSchema, entity)).toEqual({ value: {} });
  expect(entity).toEqual(new Entity());
});

it("accepts values from another realm", () => {
  const value: unknown = runInContext(
    "({ date: new Date(0), branches: [{ date: new Date(1) }] })",
    createContext(),
  );
  expect(validate(treeSchema, value)).toEqual({
    value: { date: new Date(0), branches: [{ date: new Date(1) }] },
  });
});

it("ignores inherited properties", () => {
  const check: Check = () => {};
  const schema = convertingSchemaOf<unknown>(check, () => ({
    constructor: bigintForm,
    ["__proto__"]: bigintForm,
  }));
  expect(validate(schema, {})).toEqual({ value: {} });
  const value: unknown = JSON.parse('{"__proto__":"1","constructor":"2"}');
  const result = schema["~standard"].validate(value);
  const output = Object(result.issues ?? result.value);
  expect(Object.entries(output)).toEqual([
    ["__proto__", 1n],
    ["constructor", 2n],
  ]);
});

it("rejects circular values and values that nest too deeply", () => {
  const endless: Record<string, unknown> = {};
  endless["branches"] = [endless];
  endless["also"] = endless;
  const message = "expected at most 1000 levels";
  const issues = [{ message, path: [] }];
  expect(validate(treeSchema, endless)).toEqual({ issues });
  const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  expect(validate(noteSchema, { deep })).toEqual({ issues });
});

const wordJson: SchemaJson = { name: "Word", input: { type: "string" } };
const treeJson: ConvertingSchemaWithJson<Tree> = schemaWithJson(treeSchema, {
  name: "Tree",
  input: {
    type: "object",
    properties: {
      $ref: { $ref: "#/$defs/Word", description: 'not "$ref":"#/$defs/x"' },
      branches: { type: "array", items: { $ref: "#/$defs/Tree" } },
    },
  },
  output: { properties: { branches: { type: "array" } } },
  refs: () => [wordJson, treeJson],
});

it("is a Standard JSON Schema that still validates", () => {
  const schema: StandardJSONSchemaV1<InputOf<Tree>, Tree> &
    StandardSchemaV1<InputOf<Tree>, Tree> = treeJson;
  expectTypeOf<
    StandardJSONSchemaV1.InferOutput<typeof treeJson>
  >().toEqualTypeOf<Tree>();
  expect(schema["~standard"].validate({ date })).toEqual({ value: { date } });
});

it("describes a type and the types that it refers to in each draft", () => {
  const { input, output } = treeJson["~standard"].jsonSchema;
  const { input: tree } = treeJson;
  expect(input({ target: "draft-2020-12" })).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...tree,
    $defs: { Word: { type: "string" }, Tree: tree },
  });
  const description = 'not "$ref":"#/$defs/x"';
  const old = {
    type: "object",
    properties: {
      $ref: { description, allOf: [{ $ref: "#/definitions/Word" }] },
      branches: {
        type: "array",
        items: { allOf: [{ $ref: "#/definitions/Tree" }] },
      },
    },
  };
  expect(input({ target: "draft-07" })).toEqual({
    $schema: "http://json-schema.org/draft-07/schema#",
    ...old,
    definitions: { Word: { type: "string" }, Tree: old },
  });
  const returned = {
    type: "object",
    properties: { ...Object(tree["properties"]), branches: { type: "array" } },
  };
  expect(output({ target: "draft-2020-12" })).toMatchObject({
    ...returned,
    $defs: { Word: { type: "string" }, Tree: returned },
  });
});

it("throws if there is no JSON Schema", () => {
  const holder = schemaWithJson(noteSchema, {
    name: "Note",
    input: { type: "object" },
    refs: () => [{ name: "Amount", input: {}, output: null }],
  });
  const { input, output } = holder["~standard"].jsonSchema;
  expect(() => input({ target: "openapi-3.0" })).toThrow(
    new TypeError("JSON Schema for openapi-3.0 is not supported"),
  );
  expect(input({ target: "draft-07" })).toMatchObject({
    definitions: { Amount: {} },
  });
  expect(() => output({ target: "draft-07" })).toThrow(
    new TypeError("the output of Amount is not JSON"),
  );
});
