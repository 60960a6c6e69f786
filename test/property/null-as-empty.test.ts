import fc from "fast-check";
import { expect, it } from "vitest";
import { codecsEmitter } from "../../generator/4-emit/typescript/codecs/codecs.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Contract } from "../../generator/ir/contract.js";
import { FailureReport } from "../../runtime/typescript/values/validation.js";
import { isRecord } from "../../runtime/typescript/values/validation.js";
import { arbitraryContract, valueFor } from "../support/arbitrary-types.js";
import { readerOf } from "../support/emitted-reader.js";
import { exportedFunction, runEmitted } from "../support/run-emitted.js";

const strict: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};
const lenient: EmitOptions = { ...strict, nullAsEmpty: true };

/** A contract with values for its response in wire form. */
const contractAndValues = arbitraryContract.chain((contract) => {
  const fields =
    contract.hosts[0]?.services[0]?.methods[0]?.response.fields ?? [];
  const value = valueFor(contract, fields).map(nullsForEmpty);
  const values = fc.array(value, { minLength: 8, maxLength: 8 });
  return fc.record({ contract: fc.constant(contract), values });
});

/**
 * Returns the value as Go might write it: with null for empty lists and
 * objects. Strings equal to `AAE=` stand in for empty bytes, and become null
 * too.
 */
function nullsForEmpty(value: unknown): unknown {
  const text = JSON.stringify(value, (key, item: unknown) => {
    const isEmpty =
      item === "AAE=" ||
      (Array.isArray(item) && item.length === 0) ||
      (isRecord(item) && Object.keys(item).length === 0);
    return isEmpty && key !== "" ? null : item;
  });
  return JSON.parse(text);
}

/** Replaces the nulls in a value. Returns null if the value is invalid. */
type Fill = (value: unknown) => { readonly value: unknown } | null;

function createFill(contract: Contract, options: EmitOptions): Fill {
  const [file] = validatorsEmitter.emit(contract, options);
  const validators = runEmitted(file?.text ?? "");
  const check = exportedFunction(validators, "checkSendResponse");
  return (given) => {
    const value = structuredClone(given);
    const report = new FailureReport({ dropsNulls: true });
    check(value, report);
    return report.failures.length === 0 ? { value } : null;
  };
}

it("client and server both read null as an empty value", () => {
  let filledCount = 0;
  const property = fc.property(contractAndValues, ({ contract, values }) => {
    const [file] = codecsEmitter.emit(contract, lenient);
    const codecs = runEmitted(file?.text ?? "");
    const read = readerOf(contract, lenient, codecs);
    const fill = createFill(contract, lenient);
    const fillStrictly = createFill(contract, strict);
    for (const value of values) {
      const filled = fill(value);
      if (filled === null) continue;
      // Servers without the setting accept the value after the replacement.
      expect(fillStrictly(filled.value)).toEqual(filled);
      // A client reads the same value as a server, although clients do not
      // validate.
      const text = JSON.stringify(value);
      expect(read(text), text).toEqual(read(JSON.stringify(filled.value)));
      if (fillStrictly(value) === null) filledCount += 1;
    }
  });
  fc.assert(property, { numRuns: 300 });
  expect(filledCount).toBeGreaterThan(4);
});
