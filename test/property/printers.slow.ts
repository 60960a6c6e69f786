import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecsEmitter } from "../../generator/4-emit/typescript/codecs/codecs.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import {
  isPlainPattern,
  isPlainText,
} from "../../generator/4-emit/typescript/plan/plain-text.js";
import { emitPrinters } from "../../generator/4-emit/typescript/printers/printers.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { isAbsentAsNull } from "../support/domain-value.js";
import type { Contract, Field } from "../../generator/ir/contract.js";
import { createIndex } from "../../generator/values/resolve.js";
import {
  parseJson,
  stringifyJson,
} from "../../runtime/typescript/wire/json.js";
import { FailureReport } from "../../runtime/typescript/values/validation.js";
import { arbitraryContract, valueFor } from "../support/arbitrary-types.js";
import { readerOf } from "../support/emitted-reader.js";
import { mapStructs } from "../support/map-structs.js";
import { exportedFunction, runEmitted } from "../support/run-emitted.js";

const runs = { numRuns: 150 };

const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

function responseOf(contract: Contract): readonly Field[] {
  return contract.hosts[0]?.services[0]?.methods[0]?.response.fields ?? [];
}

/** A contract with values for its response in wire form. */
const contractAndValues = arbitraryContract.chain((contract) => {
  const value = valueFor(contract, responseOf(contract));
  const values = fc.array(value, { minLength: 8, maxLength: 8 });
  return fc.record({ contract: fc.constant(contract), values });
});

function functionsOf(contract: Contract, chosen: EmitOptions) {
  const run = (text = "") => runEmitted(text);
  const validators = run(validatorsEmitter.emit(contract, chosen)[0]?.text);
  const check = exportedFunction(validators, "checkSendResponse");
  const codecs = run(codecsEmitter.emit(contract, chosen)[0]?.text);
  const plan = createPlan(contract, chosen);
  const files = plan.units.flatMap((unit) => emitPrinters(plan, unit));
  const printers = run(files[0]?.text);
  const read = readerOf(contract, chosen, codecs);
  return {
    isFit: (value: unknown): boolean => {
      const report = new FailureReport();
      check(value, report);
      return report.failures.length === 0;
    },
    /**
     * Converts a value to the handler's form and back, as happens before it is
     * sent.
     */
    toWire: (text: string): unknown => {
      const value = read(text);
      return "encodeSendResponse" in codecs
        ? exportedFunction(codecs, "encodeSendResponse")(value)
        : value;
    },
    print: exportedFunction(printers, "printSendResponse"),
  };
}

/** Returns the declared part of a message, with its fields in order. */
function knownOf(contract: Contract, message: unknown): unknown {
  return mapStructs(
    contract,
    responseOf(contract),
    message,
    (value, fields) => {
      const there = fields.filter(
        (field) =>
          Object.hasOwn(value, field.jsonName) &&
          (value[field.jsonName] !== null || isValueNull(contract, field)),
      );
      return Object.fromEntries(
        there.map(({ jsonName }) => [jsonName, value[jsonName]]),
      );
    },
  );
}

function isValueNull(contract: Contract, field: Field): boolean {
  return !isAbsentAsNull(createIndex(contract), field);
}

/**
 * Returns a frozen copy with null for absent values and with undeclared
 * properties.
 */
function addUndeclared(contract: Contract, message: unknown): unknown {
  return mapStructs(
    contract,
    responseOf(contract),
    message,
    (value, fields) => {
      const absent = fields.filter(
        (field) =>
          !Object.hasOwn(value, field.jsonName) &&
          isAbsentAsNull(createIndex(contract), field),
      );
      return Object.freeze({
        passwordHash: "smuggled",
        ...value,
        ...Object.fromEntries(absent.map(({ jsonName }) => [jsonName, null])),
      });
    },
  );
}

describe("generated printers", () => {
  it.each([
    options,
    { ...options, int64: "bigint", timestamp: "date" },
  ] as const)(
    "write the declared part exactly like JSON.stringify: %o",
    (chosen) => {
      let printed = 0;
      fc.assert(
        fc.property(contractAndValues, ({ contract, values }) => {
          const { isFit, print, toWire } = functionsOf(contract, chosen);
          for (const given of values) {
            const value = parseJson(JSON.stringify(given));
            if (!isFit(value)) continue;
            const wire = addUndeclared(contract, toWire(JSON.stringify(given)));
            if (!isFit(wire)) continue;
            expect(print(wire)).toBe(stringifyJson(knownOf(contract, wire)));
            printed += 1;
          }
        }),
        runs,
      );
      expect(printed).toBeGreaterThan(20);
    },
  );
});

const pieces = fc.constantFrom(
  ...["a", "Z", "0", "_", "-", ".", "\\.", "\\\\", "\\d", "\\w", "\\s", "\\D"],
  ...["[a-z]", "[^a]", "[!-~]", "[A-z]", '["]', "[0-9a-fA-F]", "[+-]"],
  ...["(?:a|b)", "(a|\\D)", "\\p{L}"],
);
const quantifiers = fc.constantFrom("", "*", "+", "?", "{2}", "{0,3}");
const patterns = fc
  .tuple(
    fc.constantFrom("^", ""),
    fc.array(fc.tuple(pieces, quantifiers), { minLength: 1, maxLength: 2 }),
    fc.constantFrom("$", "", "|x$"),
  )
  .map(([start, parts, end]) => start + parts.flat().join("") + end);
const plainish = fc
  .array(
    fc.tuple(
      fc.constantFrom("a", "\\d", "[a-z-]", "\\.", "[0-9a-fA-F]", "(?:a|x/)"),
      quantifiers,
    ),
    { maxLength: 4 },
  )
  .map((parts) => `^${parts.flat().join("")}$`);

describe("isPlainPattern", () => {
  it("returns true only if all matching strings are plain", () => {
    let plain = 0;
    const patternAndText = fc
      .oneof(patterns, plainish)
      .chain((pattern) =>
        fc.tuple(
          fc.constant(pattern),
          fc.oneof(
            fc.stringMatching(new RegExp(pattern, "u")),
            fc.constantFrom('"', "\\", "a\n", "\u2028", "\ud800", "aa", "^"),
          ),
        ),
      );
    fc.assert(
      fc.property(patternAndText, ([pattern, text]) => {
        if (!isPlainPattern(pattern)) return;
        if (!new RegExp(pattern, "u").test(text)) return;
        expect(isPlainText(text), JSON.stringify([pattern, text])).toBe(true);
        plain += 1;
      }),
      { ...runs, numRuns: 1_000 },
    );
    expect(plain).toBeGreaterThan(20);
  });

  it.each([
    ["^0x[0-9a-fA-F]{40}$", true],
    ["^[0-9]+$", true],
    ["^(?:0|[1-9][0-9]{0,77})$", true],
    ["^[a-z]+\\.[a-z]{2,}$", true],
    ["^[a-z]+", false],
    ["[a-z]+$", false],
    ["^a|b$", false],
    ["^.$", false],
    ["^[^a]$", false],
    ["^[ -~]$", false],
    ["^[A-z]$", false],
    ["^\\\\$", false],
    ["^\\S$", false],
    ['^"$', false],
    ["^\\p{L}$", false],
    ["^(?!a)b$", false],
    ["^é$", false],
  ])("for %s, returns %s", (pattern, isPlain) => {
    expect(isPlainPattern(pattern)).toBe(isPlain);
  });
});
