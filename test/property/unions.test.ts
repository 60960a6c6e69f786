import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonSchemaEmitter } from "../../generator/4-emit/json-schema/json-schema.js";
import { clientEmitter } from "../../generator/4-emit/typescript/client/client.js";
import { codecsEmitter } from "../../generator/4-emit/typescript/codecs/codecs.js";
import { mcpEmitter } from "../../generator/4-emit/typescript/mcp/mcp.js";
import { schemasEmitter } from "../../generator/4-emit/typescript/schemas/schemas.js";
import { schemasWithJsonEmitter } from "../../generator/4-emit/typescript/schemas-with-json/schemas-with-json.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Contract } from "../../generator/ir/contract.js";
import { FailureReport } from "../../runtime/values/validation.js";
import {
  overlapsIn,
  unionContract,
  unionValues,
} from "../support/arbitrary-unions.js";
import { compileDocument, compileSchema } from "../support/compile-schema.js";
import {
  exportedFunction,
  runFiles,
  type Exports,
} from "../support/run-emitted.js";

const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

const targets = [
  ...[validatorsEmitter, schemasEmitter, schemasWithJsonEmitter],
  ...[codecsEmitter, clientEmitter, mcpEmitter],
];

const valuesOfEach = 40;

const contractAndValues = unionContract.chain((contract) =>
  fc.record({
    contract: fc.constant(contract),
    values: fc.array(unionValues(contract), {
      minLength: valuesOfEach,
      maxLength: valuesOfEach,
    }),
  }),
);

/** The verdicts on a value. The first one is that of servers. */
interface Verdicts {
  readonly validator: boolean;
  readonly standard: boolean;
  /** Verdicts of JSON Schemas. */
  readonly schemas: Readonly<Record<string, boolean>>;
  readonly isDuplicate: boolean;
}

/** Returns a function that asks everything generated about a value. */
function judgesOf(contract: Contract): (value: unknown) => Verdicts {
  const files = targets.flatMap((each) => each.emit(contract, options));
  const load = runFiles(
    files.map(({ path, text }) => ({ path: path.replace(".ts", ".js"), text })),
  );
  const exportsOf = (name: string): Exports => load(`./${name}.js`) ?? {};
  const check = exportedFunction(exportsOf("validators"), "checkSendRequest");
  const { jsonSchema, validate } = Object(
    exportsOf("schemas-with-json")["sendRequestSchemaWithJson"],
  )["~standard"];
  const createTools = exportedFunction(
    exportsOf("mcp"),
    "createArbitraryTools",
  );
  const [tool] = Object(createTools({ baseUrl: "http://localhost" }));
  const [file] = jsonSchemaEmitter.emit(contract, options);
  const schemas = {
    "schema.json": compileSchema(JSON.parse(file?.text ?? ""), "SendRequest"),
    "draft-07": compileDocument(jsonSchema.input({ target: "draft-07" })),
    "draft-2020-12": compileDocument(
      jsonSchema.input({ target: "draft-2020-12" }),
    ),
    tool: compileDocument(tool.definition.inputSchema),
  };
  return (value) => {
    const report = new FailureReport({ dropsNulls: true, isRequest: true });
    check(structuredClone(value), report);
    const { failures } = report;
    return {
      validator: failures.length === 0,
      standard: validate(structuredClone(value)).issues === undefined,
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, accepts]) => [
          name,
          accepts(structuredClone(value)),
        ]),
      ),
      isDuplicate: failures.some(({ expected }) =>
        expected.endsWith("a list without duplicates"),
      ),
    };
  };
}

it("judges of unions agree on random JSON", () => {
  const counts = { fits: 0, misfits: 0, more: 0 };
  fc.assert(
    fc.property(contractAndValues, ({ contract, values }) => {
      const judge = judgesOf(contract);
      const isOverlap = overlapsIn(contract);
      for (const value of values) {
        const { isDuplicate, schemas, standard, validator } = judge(value);
        const text = JSON.stringify(value);
        expect(standard, text).toBe(validator);
        counts[validator ? "fits" : "misfits"] += 1;
        // The comparison of duplicates has a test of its own.
        if (isDuplicate) continue;
        if (!validator && isOverlap(value)) {
          if (Object.values(schemas).some(Boolean)) counts.more += 1;
          continue;
        }
        const same = Object.keys(schemas).map((name) => [name, validator]);
        expect(schemas, text).toEqual(Object.fromEntries(same));
      }
    }),
    { numRuns: 100, endOnFailure: true },
  );
  if (process.env["RIDLKIT_RUNS"] !== undefined) console.log(counts);
  expect(counts.fits).toBeGreaterThan(100);
  expect(counts.misfits).toBeGreaterThan(100);
});
