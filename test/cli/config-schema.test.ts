import fc from "fast-check";
import { Ajv } from "ajv";
import { format } from "prettier";
import { expect, test } from "vitest";
import { targetNames } from "../../generator/4-emit/registry.js";
import {
  defaultsName,
  selectTargets,
} from "../../generator/4-emit/select-targets.js";
import {
  explainFaults,
  configSchema,
  resolveSchema,
  type Schema,
} from "../../cli/config/config-faults.js";
import {
  catalog,
  isBreakingCode,
  isLintCode,
  lintCategories,
} from "../../generator/diagnostics/catalog.js";
import { checkSeverities } from "../../generator/lint/lint-options.js";

const targets = await selectTargets(targetNames.map((name) => ({ name })));

/** Fills in the parts of config.schema.json that follow from the code. */
function fillIn(schema: typeof configSchema): string {
  const filled = structuredClone(Object(schema));
  const { breaking, emit, lint } = filled.properties;
  filled.definitions.target.enum = [defaultsName, ...targetNames];
  const configurable = targets.flatMap(({ name, setting }) =>
    setting === undefined
      ? []
      : [[name, { ...setting.schema, examples: [setting.example] }] as const],
  );
  emit.items.then.properties = Object.fromEntries(configurable);
  const names = configurable.map(([name]) => `\`${name}\``).join(", ");
  const paths = Object.entries(emit.items.then.patternProperties).slice(0, 1);
  const { pattern } = filled.definitions.packageName;
  const taken = [defaultsName, ...targetNames].join("|");
  emit.items.then.patternProperties = {
    ...Object.fromEntries(paths),
    [`^(?!(?:${taken})$)${pattern.slice(1)}`]: {
      description: "Name and version of the package that the set writes.",
      type: "object",
    },
  };
  emit.items.then.errorMessage = `the targets with a setting are ${names}`;
  emit.implies = Object.fromEntries(
    targets.flatMap(({ implies, name }) => (implies ? [[name, implies]] : [])),
  );
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

test("config.schema.json describes the existing targets and rules", async () => {
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
  const { additionalProperties, items } = schema;
  const names =
    schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const others = [schema.then, schema.else].flatMap((each) => each ?? []);
  const values: fc.Arbitrary<unknown>[] = [
    junk,
    ...(names.length > 0 ? [fc.constantFrom(...names)] : []),
    ...(items ? [fc.array(shapeOf(items), { maxLength: 2 })] : []),
    ...(schema.type === "object" ? [recordOf(schema)] : []),
    ...(typeof additionalProperties === "object"
      ? [fc.dictionary(keysOf(schema), shapeOf(additionalProperties))]
      : []),
    ...others
      .filter(({ properties, type }) => !properties || type === "object")
      .map(shapeOf),
  ];
  const arbitraries = values.map((arbitrary, index) => ({
    arbitrary,
    weight: index === 0 ? 1 : 8,
  }));
  return fc.oneof(...arbitraries);
}

function recordOf({
  maxProperties,
  properties = {},
}: Schema): fc.Arbitrary<unknown> {
  const shapes = Object.entries(properties).map(
    ([key, schema]) => [key, shapeOf(schema)] as const,
  );
  if (maxProperties === 1) {
    const single = shapes.map(([key, shape]) =>
      shape.map((value) => ({ [key]: value })),
    );
    return fc.oneof(...single, fc.constant({ "./a.js": { b: 1 } }));
  }
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
  ajv.addKeyword("errorMessage").addKeyword("implies");
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
  expect(counts.valid).toBeGreaterThan(50);
  expect(counts.faulty).toBeGreaterThan(80);
});
