import fc from "fast-check";
import { Ajv } from "ajv";
import { format } from "prettier";
import { expect, test } from "vitest";
import { targetNames } from "../../generator/4-emit/registry.js";
import {
  explainFaults,
  configSchema,
  resolveSchema,
  type Schema,
} from "../../generator/cli/config/config-faults.js";
import {
  catalog,
  isBreakingCode,
  isLintCode,
  lintCategories,
} from "../../generator/diagnostics/catalog.js";
import { checkSeverities } from "../../generator/lint/lint-options.js";

/**
 * Fills in the lists in config.schema.json that must match lists in the code.
 */
function fillIn(schema: typeof configSchema): string {
  const filled = structuredClone(Object(schema));
  const { breaking, emit, lint } = filled.properties;
  emit.items.else.else.enum = targetNames;
  lint.properties.categories.items.enum = lintCategories;
  lint.properties.rules.propertyNames.enum = [
    ...Object.keys(catalog).filter(isLintCode),
    ...Object.keys(checkSeverities),
  ].sort();
  breaking.properties.rules.propertyNames.enum = Object.keys(catalog)
    .filter(isBreakingCode)
    .sort();
  return JSON.stringify(filled, null, 2);
}

test("config.schema.json lists the existing targets and rules", async () => {
  const filepath = "config.schema.json";
  const text = await format(fillIn(configSchema), { filepath });
  await expect(text).toMatchFileSnapshot(`../../${filepath}`);
});

const junk = fc.constantFrom<unknown>(
  ...["", "a", "./a", "a\\b", "https://a", 5, null, true, [], ["a"], {}],
  { rules: { a: "off" } },
);

/** Draws data that mostly conforms to a schema. */
function shapeOf(reference: Schema): fc.Arbitrary<unknown> {
  const schema = resolveSchema(reference);
  const { additionalProperties, items, properties = {} } = schema;
  const names =
    schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const others = [schema.then, schema.else].flatMap((each) => each ?? []);
  const values: fc.Arbitrary<unknown>[] = [
    junk,
    ...(names.length > 0 ? [fc.constantFrom(...names)] : []),
    ...(items ? [fc.array(shapeOf(items), { maxLength: 2 })] : []),
    ...(schema.type === "object" ? [recordOf(properties)] : []),
    ...(typeof additionalProperties === "object"
      ? [fc.dictionary(keysOf(schema), shapeOf(additionalProperties))]
      : []),
    ...others.filter((each) => each.properties === undefined).map(shapeOf),
  ];
  const arbitraries = values.map((arbitrary, index) => ({
    arbitrary,
    weight: index === 0 ? 1 : 8,
  }));
  return fc.oneof(...arbitraries);
}

function recordOf(
  properties: Readonly<Record<string, Schema>>,
): fc.Arbitrary<unknown> {
  const shapes = Object.entries(properties).map(([key, schema]) => [
    key,
    shapeOf(schema),
  ]);
  const known = fc.record(Object.fromEntries(shapes), { requiredKeys: [] });
  const unknown = fc.constantFrom({}, {}, {}, { other: 1 });
  return fc.tuple(known, unknown).map(([left, right]) => ({
    ...Object(left),
    ...right,
  }));
}

function keysOf({ propertyNames }: Schema): fc.Arbitrary<string> {
  return fc.constantFrom("a", ...(propertyNames?.enum ?? []));
}

test("finds a fault if and only if ajv does", () => {
  const ajv = new Ajv({ strict: true, allErrors: true });
  ajv.addKeyword("errorMessage");
  const validate = ajv.compile(configSchema);
  const counts = { valid: 0, faulty: 0 };
  const source = { path: "ridl.config.yaml", text: "" };
  const location = { source, span: { start: 0, end: 0 } };
  const checkData = (data: unknown): void => {
    const faults = explainFaults(data, () => location);
    expect({ data, isValid: faults.length === 0 }).toEqual({
      data,
      isValid: validate(data),
    });
    counts[faults.length === 0 ? "valid" : "faulty"] += 1;
  };
  fc.assert(fc.property(shapeOf(configSchema), checkData), { numRuns: 500 });
  // A single setting is valid more often than several are.
  for (const [key, schema] of Object.entries(configSchema.properties ?? {})) {
    const data = shapeOf(schema).map((value) => ({
      schema: ["a.ridl"],
      [key]: value,
    }));
    fc.assert(fc.property(data, checkData), { numRuns: 100 });
  }
  expect(counts.valid).toBeGreaterThan(80);
  expect(counts.faulty).toBeGreaterThan(80);
});
