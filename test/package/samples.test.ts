import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { render } from "../../generator/4-emit/typescript/text/format.js";
import { objectOf } from "../../generator/4-emit/typescript/text/shapes.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type {
  Constraints,
  Contract,
  Field,
  ScalarName,
} from "../../generator/ir/contract.js";
import { createReadmeContext } from "../../generator/package/readme-context.js";
import { sampleText } from "../../generator/package/sample-text.js";
import { sampleEntries } from "../../generator/package/samples.js";
import { Report } from "../../runtime/values/validation.js";
import { arbitraryContract } from "../support/arbitrary-types.js";
import {
  alias,
  contract,
  enumeration,
  field,
  host,
  list,
  map,
  message,
  method,
  reference,
  scalar,
  service,
  struct,
} from "../support/contract-parts.js";
import { goldenCases } from "../support/golden-cases.js";
import { exportedFunction, runEmitted } from "../support/run-emitted.js";

const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

/** The sample of the only request, as it travels. */
function sampleOf(of: Contract): unknown {
  const context = createReadmeContext(of, options, "sample", [], []);
  const [method] = context.plan.hosts[0]?.services[0]?.methods ?? [];
  const fields = method?.request.object.fields ?? [];
  const code = render(objectOf(sampleEntries(context, fields)));
  return toWire(new Function(`return (${code});`)());
}

function toWire(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, toWire(each)]),
  );
}

/** Whether the generated validator of `Send` takes its own sample. */
function expectValid(of: Contract): void {
  const text = validatorsEmitter.emit(of, options)[0]?.text ?? "";
  const sample = sampleOf(of);
  if (!text.includes("checkSendRequest")) return;
  const report = new Report({ dropsNulls: true });
  exportedFunction(runEmitted(text), "checkSendRequest")(sample, report);
  expect(report.failures, JSON.stringify(sample)).toEqual([]);
}

function contractOf(fields: readonly Field[]): Contract {
  const methods = [
    method("Arbitrary", "Send", {
      request: message(fields),
      response: message([]),
    }),
  ];
  return contract(
    [
      enumeration("Side", ["listing", "offer", "auction"]),
      alias("Code", scalar("string"), { pattern: "^[A-Z]{2}[0-9]+$" }),
      alias("ShortCode", reference("Code"), { maxLength: 4, minLength: 4 }),
    ],
    [host("arbitrary", [service("Arbitrary", methods)])],
  );
}

const from0to3 = fc.integer({ min: 0, max: 3 });

/** Limits of texts that some text is within. */
const textLimits: fc.Arbitrary<Constraints> = fc.oneof(
  fc
    .tuple(fc.nat(50), fc.nat(30))
    .map(([minLength, more]) => ({ minLength, maxLength: minLength + more })),
  fc.nat(70).map((minLength) => ({ format: "uri", minLength }) as const),
  fc
    .constantFrom("^[a-z]+$", "^0x[0-9a-f]*$", "^\\p{L}+(-\\p{L}+)*$", "z$")
    .chain((pattern) =>
      fc.integer({ min: 3, max: 60 }).map((minLength) => ({
        ...{ pattern, minLength, maxLength: minLength + 1 },
      })),
    ),
);

/** Limits of numbers that some number is within. */
const numberLimits: fc.Arbitrary<Constraints> = fc.oneof(
  fc.integer({ min: -90, max: 90 }).map((minimum) => ({ minimum })),
  fc.integer({ min: -90, max: 90 }).map((maximum) => ({ maximum })),
  fc
    .tuple(fc.integer({ min: -90, max: 90 }), fc.nat(5))
    .map(([minimum, more]) => ({ minimum, maximum: minimum + more })),
);

const signed = ["int8", "int16", "int32", "int64", "int", "float64", "bigint"];

const limitedField: fc.Arbitrary<Field> = fc.oneof(
  textLimits.map((constraints) =>
    field("text", scalar("string"), { constraints }),
  ),
  fc
    .tuple(fc.constantFrom(...(signed as ScalarName[])), numberLimits)
    .map(([name, constraints]) =>
      field("number", scalar(name), { constraints }),
    ),
  fc
    .tuple(
      from0to3,
      from0to3,
      fc.constantFrom(
        ...[scalar("int8"), scalar("string"), reference("Side")],
        ...[reference("ShortCode"), scalar("timestamp")],
      ),
    )
    .map(([minItems, more, element]) =>
      field("list", list(element), {
        constraints: { minItems, maxItems: minItems + more, uniqueItems: true },
      }),
    ),
  fc
    .tuple(from0to3, fc.constantFrom("string", "uint8", "Side", "ShortCode"))
    .map(([minProperties, key]) =>
      field(
        "map",
        map(
          key === "string" || key === "uint8" ? scalar(key) : reference(key),
          scalar("bool"),
        ),
        { constraints: { minProperties } },
      ),
    ),
  from0to3.map((minItems) =>
    field("bytes", list(scalar("byte")), { constraints: { minItems } }),
  ),
);

describe("samples", () => {
  it("pass the generated validators, whatever the types", () => {
    fc.assert(fc.property(arbitraryContract, expectValid), { numRuns: 100 });
  });

  it("pass the generated validators, whatever the limits", () => {
    const fields = fc.uniqueArray(limitedField, {
      minLength: 1,
      selector: ({ name }) => name,
    });
    fc.assert(
      fc.property(fields, (given) => expectValid(contractOf(given))),
      { numRuns: 300 },
    );
  });

  it("do not repeat an example that does not fit", () => {
    const given = [
      field("size", scalar("uint8"), { constraints: { example: "300" } }),
      field("word", scalar("string"), {
        constraints: { example: "no", minLength: 3 },
      }),
      field("kept", scalar("string"), {
        constraints: { example: "yes", minLength: 3 },
      }),
    ];
    expect(sampleOf(contractOf(given))).toEqual({
      ...{ size: 1, word: "text", kept: "yes" },
    });
  });

  it.each([
    ["^97[89][0-9]{10}$", "9780000000000"],
    ["^(?:</script>|`|/|')$", "</script>"],
    ["^(0x[0-9a-fA-F]*)?$", "0x0"],
    ["^(?=.*x).{3}$", null],
    ["^a$|^b$", "a"],
    ["(a)\\1", "aa"],
    ["^[א-ת]+$", "א"],
  ])("match %s", (pattern, text) => {
    const limits = { minLength: 0, maxLength: Infinity, isUrl: false };
    expect(sampleText({ ...limits, patterns: [pattern] })).toBe(text);
  });

  it("end where a struct contains itself", () => {
    const node = struct("Node", [
      field("parent", reference("Node"), { isNullable: true }),
      field("children", list(reference("Node"))),
    ]);
    const given = contractOf([field("node", reference("Node"))]);
    const whole = { ...given, types: [...given.types, node] };
    expectValid(whole);
    expect(sampleOf(whole)).toEqual({
      node: { parent: null, children: [] },
    });
  });

  it("exist for every request of the golden cases", () => {
    for (const { contract: each } of goldenCases()) {
      const context = createReadmeContext(each, options, "sample", [], []);
      const { hosts } = context.plan;
      const services = hosts.flatMap(({ services }) => services);
      for (const { request } of services.flatMap(({ methods }) => methods)) {
        sampleEntries(context, request.object.fields);
      }
    }
  });
});
