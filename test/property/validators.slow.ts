import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonSchemaEmitter } from "../../generator/4-emit/json-schema/json-schema.js";
import { codecsEmitter } from "../../generator/4-emit/typescript/codecs/codecs.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { schemasEmitter } from "../../generator/4-emit/typescript/schemas/schemas.js";
import { schemasWithJsonEmitter } from "../../generator/4-emit/typescript/schemas-with-json/schemas-with-json.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Contract, Field } from "../../generator/ir/contract.js";
import { maxJsonDepth } from "../../runtime/typescript/wire/json-reader.js";
import {
  parseJson,
  stringifyJson,
} from "../../runtime/typescript/wire/json.js";
import { readPlainJson } from "../../runtime/typescript/wire/read-json.js";
import {
  FailureReport,
  type Failure,
} from "../../runtime/typescript/values/validation.js";
import type {
  SchemaWithJson,
  ToJsonSchema,
} from "../../runtime/typescript/wire/schema.js";
import { arbitraryContract, valueFor } from "../support/arbitrary-types.js";
import { compileDocument, compileSchema } from "../support/compile-schema.js";
import { readerOf } from "../support/emitted-reader.js";
import {
  exportedFunction,
  runEmitted,
  runFiles,
} from "../support/run-emitted.js";

const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

const runs = { numRuns: 150 };

function requestOf(contract: Contract): readonly Field[] {
  return contract.hosts[0]?.services[0]?.methods[0]?.request.fields ?? [];
}

/** A contract with values for its request. */
const contractAndValues = arbitraryContract.chain((contract) =>
  fc.record({
    contract: fc.constant(contract),
    values: fc.array(valueFor(contract, requestOf(contract)), {
      minLength: 8,
      maxLength: 8,
    }),
  }),
);

type Validate = (value: unknown) => boolean;

/**
 * Whether the only faults are duplicates. JSON Schema compares the JSON of
 * items, but validators compare their values.
 */
function hasDuplicates(faults: readonly string[]): boolean {
  const isDuplicate = (fault: string): boolean =>
    fault.endsWith("a list without duplicates");
  return faults.length > 0 && faults.every(isDuplicate);
}

/**
 * Returns the generated check for the request, as servers run it, which returns
 * its failures.
 */
function validatorOf(
  contract: Contract,
  chosen: EmitOptions,
): (value: unknown) => readonly Failure[] {
  const text = validatorsEmitter.emit(contract, chosen)[0]?.text ?? "";
  const check = exportedFunction(runEmitted(text), "checkSendRequest");
  return (value) => {
    const report = new FailureReport({
      dropsNulls: true,
      isRequest: true,
    });
    check(value, report);
    return report.failures;
  };
}

/** Returns a function that validates with ajv and the generated schema. */
function oracleOf(contract: Contract): Validate {
  const asked = options;
  const [file] = jsonSchemaEmitter.emit(contract, asked);
  return compileSchema(JSON.parse(file?.text ?? ""), "SendRequest");
}

/** Returns the generated schema of the request, with its JSON Schemas. */
function schemaOf(
  contract: Contract,
  chosen: EmitOptions,
): SchemaWithJson<unknown>["~standard"] {
  const asked = chosen;
  const emitters = [validatorsEmitter, schemasEmitter, schemasWithJsonEmitter];
  const files = emitters.flatMap((each) => each.emit(contract, asked));
  const emitted = runFiles(
    files.map(({ path, text }) => ({ path: path.replace(".ts", ".js"), text })),
  )("./schemas-with-json.js");
  return Object(emitted?.["sendRequestSchemaWithJson"])["~standard"];
}

describe("generated validators", () => {
  it("agree with ajv for random types and values", () => {
    const verdicts = { fits: 0, invalid: 0 };
    fc.assert(
      fc.property(contractAndValues, ({ contract, values }) => {
        // ajv does not support a property with this name in a schema.
        fc.pre(!stringifyJson(contract).includes('"jsonName":"__proto__"'));
        const validate = validatorOf(contract, options);
        const oracle = oracleOf(contract);
        for (const value of values) {
          const expected = oracle(structuredClone(value));
          verdicts[expected ? "fits" : "invalid"] += 1;
          const text = JSON.stringify(value);
          const failures = validate(value);
          if (hasDuplicates(failures.map((each) => each.expected))) continue;
          expect(failures.length === 0, text).toBe(expected);
        }
      }),
      runs,
    );
    // The test proves nothing unless both verdicts are frequent.
    expect(verdicts.fits).toBeGreaterThan(20);
    expect(verdicts.invalid).toBeGreaterThan(20);
  });

  it.each([
    options,
    { ...options, int64: "bigint", timestamp: "date" },
  ] as const)(
    "accept values after codecs decode and re-encode them: %o",
    (chosen) => {
      let converted = 0;
      fc.assert(
        fc.property(contractAndValues, ({ contract, values }) => {
          const validate = validatorOf(contract, chosen);
          const codecs = codecsEmitter.emit(contract, chosen)[0]?.text ?? "";
          const exported = runEmitted(codecs);
          const convert = (name: string, value: unknown) =>
            name in exported ? exportedFunction(exported, name)(value) : value;
          const read = readerOf(contract, chosen, exported);
          // Parse large integers exactly if any type can represent them.
          const requests = createPlan(contract, chosen).hosts.some(
            ({ exact }) => exact.requests,
          );
          const parse = requests
            ? parseJson
            : (text: string) => readPlainJson(text, maxJsonDepth);
          for (const given of values) {
            const value = parse(JSON.stringify(given));
            if (validate(value).length > 0) continue;
            const decoded = convert("decodeSendRequest", value);
            // A client reads the same value, although clients do not validate.
            expect(read(JSON.stringify(given))).toEqual(decoded);
            const wire = stringifyJson(convert("encodeSendRequest", decoded));
            const again = parse(wire);
            expect(validate(again), wire).toEqual([]);
            expect(convert("decodeSendRequest", again)).toEqual(decoded);
            converted += 1;
          }
        }),
        runs,
      );
      expect(converted).toBeGreaterThan(20);
    },
  );

  it("agree with the JSON Schema that generated schemas provide", () => {
    const verdicts = { fits: 0, misfits: 0, returned: 0 };
    const targets = fc.constantFrom("draft-2020-12", "draft-07");
    const someOptions = fc.constantFrom<EmitOptions>(options, {
      ...options,
      int64: "bigint",
      timestamp: "date",
    });
    fc.assert(
      fc.property(
        contractAndValues,
        someOptions,
        targets,
        ({ contract, values }, chosen, target) => {
          fc.pre(!stringifyJson(contract).includes('"jsonName":"__proto__"'));
          const { jsonSchema, validate } = schemaOf(contract, chosen);
          const accepts = compileDocument(jsonSchema.input({ target }));
          const returns = compileOutput(jsonSchema.output, target);
          for (const value of values) {
            const result = validate(value);
            const fits = result.issues === undefined;
            verdicts[fits ? "fits" : "misfits"] += 1;
            const text = JSON.stringify(value);
            // A pattern cannot express the numeric limits of a string of
            // digits.
            const isVague =
              chosen.int64 === "bigint" && /[[:,]"-?\d+"/u.test(text);
            const messages = result.issues?.map((issue) => issue.message) ?? [];
            if (hasDuplicates(messages)) continue;
            if (fits || !isVague) expect(accepts(value), text).toBe(fits);
            if (result.issues !== undefined || returns === null) continue;
            const output = JSON.stringify(result.value);
            expect(returns(JSON.parse(output)), output).toBe(true);
            verdicts.returned += 1;
          }
        },
      ),
      { numRuns: 80 },
    );
    expect(verdicts.fits).toBeGreaterThan(8);
    expect(verdicts.misfits).toBeGreaterThan(8);
    expect(verdicts.returned).toBeGreaterThan(0);
  });
});

/** Compiles the output's schema. Returns null if the output is not JSON. */
function compileOutput(describe: ToJsonSchema, target: string) {
  try {
    return compileDocument(describe({ target }));
  } catch (error) {
    const message = expect.stringMatching(/^the output of .* is not JSON$/u);
    expect(error).toMatchObject({ name: "TypeError", message });
    return null;
  }
}
