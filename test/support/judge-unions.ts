import { jsonSchemaEmitter } from "../../generator/4-emit/json-schema/json-schema.js";
import { clientEmitter } from "../../generator/4-emit/typescript/client/client.js";
import { codecsEmitter } from "../../generator/4-emit/typescript/codecs/codecs.js";
import { mcpEmitter } from "../../generator/4-emit/typescript/mcp/mcp.js";
import { mockEmitter } from "../../generator/4-emit/typescript/mock/mock.js";
import { schemasEmitter } from "../../generator/4-emit/typescript/schemas/schemas.js";
import { schemasWithJsonEmitter } from "../../generator/4-emit/typescript/schemas-with-json/schemas-with-json.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Contract } from "../../generator/ir/contract.js";
import { FailureReport } from "../../runtime/typescript/values/validation.js";
import { compileDocument, compileSchema } from "./compile-schema.js";
import { exportedFunction, runFiles, type Exports } from "./run-emitted.js";

const otherOptions: Omit<EmitOptions, "int64"> = {
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

const targets = [
  ...[validatorsEmitter, schemasEmitter, schemasWithJsonEmitter],
  ...[codecsEmitter, clientEmitter, mcpEmitter, mockEmitter],
];

/** The verdicts on a value. The first one is that of servers. */
export interface Verdicts {
  readonly validator: boolean;
  readonly standard: boolean;
  /** Verdicts of JSON Schemas. */
  readonly schemas: Readonly<Record<string, boolean>>;
  readonly isDuplicate: boolean;
}

/** What a contract's generated code says about values. */
export interface Judges {
  /** Asks everything generated about a value. */
  readonly judge: (value: unknown) => Verdicts;
  /** Draws the JSON of a mock's response, whose type is that of the request. */
  readonly mock: (seed: number) => unknown;
}

/** Loads everything generated for a contract. */
export function judgesOf(
  contract: Contract,
  int64: EmitOptions["int64"] = "number",
): Judges {
  const options: EmitOptions = { ...otherOptions, int64 };
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
  const createMocks = exportedFunction(
    exportsOf("mock"),
    "createArbitraryMocks",
  );
  const mock = (seed: number): unknown =>
    toJson(Object(createMocks({ seed })).arbitrary.send({}));
  const judge = (value: unknown): Verdicts => {
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
  return { judge, mock };
}

/** Returns the JSON of a value in code, of which bytes and `bigint` differ. */
function toJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === "bigint") return String(item);
    const isBytes = item instanceof Uint8Array;
    return isBytes ? Buffer.from(item).toString("base64") : item;
  });
  return JSON.parse(text);
}
