import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecsEmitter } from "../../generator/4-emit/typescript/codecs/codecs.js";
import {
  isPlainPattern,
  isPlainText,
} from "../../generator/4-emit/typescript/printers/plain-text.js";
import { emitPrinters } from "../../generator/4-emit/typescript/printers/printers.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { EmitOptions } from "../../generator/4-emit/emitter.js";
import type { Contract } from "../../generator/ir/contract.js";
import { parseJson, stringifyJson } from "../../runtime/json.js";
import { Report } from "../../runtime/validation.js";
import { arbitraryContract, valueFor } from "../support/arbitrary-types.js";
import { exportedFunction, runEmitted } from "../support/run-emitted.js";

const runs = { seed: 20_261_120, numRuns: 150 };

const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

/** A contract with values for its response, in wire form. */
const contractAndValues = arbitraryContract.chain((contract) => {
  const [method] = contract.hosts[0]?.services[0]?.methods ?? [];
  const value = valueFor(contract, method?.response.fields ?? []);
  const values = fc.array(value, { minLength: 8, maxLength: 8 });
  return fc.record({ contract: fc.constant(contract), values });
});

function functionsOf(contract: Contract, chosen: EmitOptions) {
  const run = (text = "") => runEmitted(text);
  const validators = run(validatorsEmitter.emit(contract, chosen)[0]?.text);
  const check = exportedFunction(validators, "checkSendResponse");
  const codecs = run(codecsEmitter.emit(contract, chosen)[0]?.text);
  const printers = run(emitPrinters(contract, chosen)[0]?.text);
  return {
    isFit: (value: unknown): boolean => {
      const report = new Report();
      check(value, report);
      return report.isClean;
    },
    /** To the handler's form and back, as on the way to the wire. */
    toWire: (value: unknown): unknown => {
      const read =
        "readSendResponse" in codecs
          ? exportedFunction(codecs, "readSendResponse")
          : (same: unknown) => same;
      return exportedFunction(codecs, "encodeSendResponse")(read(value));
    },
    print:
      "printSendResponse" in printers
        ? exportedFunction(printers, "printSendResponse")
        : null,
  };
}

describe("generated printers", () => {
  it.each([
    options,
    { ...options, int64: "bigint", timestamp: "date" },
  ] as const)("write what JSON.stringify writes: %o", (chosen) => {
    let printed = 0;
    fc.assert(
      fc.property(contractAndValues, ({ contract, values }) => {
        const { isFit, print, toWire } = functionsOf(contract, chosen);
        for (const given of values) {
          const value = parseJson(JSON.stringify(given));
          if (print === null || !isFit(value)) continue;
          const wire = toWire(value);
          if (!isFit(wire)) continue;
          expect(print(wire)).toBe(stringifyJson(wire));
          printed += 1;
        }
      }),
      runs,
    );
    expect(printed).toBeGreaterThan(100);
  });
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
  it("is right about all that fits", () => {
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
    expect(plain).toBeGreaterThan(100);
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
  ])("%s: %s", (pattern, isPlain) => {
    expect(isPlainPattern(pattern)).toBe(isPlain);
  });
});
