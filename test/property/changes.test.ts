import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { severityOf } from "../../tools/breaking/severity.js";
import type { Change } from "../../tools/breaking/diff/index.js";
import { findChanges } from "../../tools/breaking/diff/index.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { Contract, Field, Struct } from "../../generator/ir/contract.js";
import { FailureReport } from "../../runtime/typescript/values/validation.js";
import { arbitraryContract, valueFor } from "../support/arbitrary-types.js";
import { exportedFunction, runEmitted } from "../support/run-emitted.js";

const runs = { numRuns: 300 };

/** A contract, and a version of it with some fields of another contract. */
const versions = fc
  .record({
    before: arbitraryContract,
    other: arbitraryContract,
    choices: fc.infiniteStream(fc.nat(9)),
  })
  .map(({ before, other, choices }) => {
    const choose = (): number => choices.next().value ?? 0;
    const after = withFields(before, (fields, theirs) =>
      mixFields(fields, theirs(other), choose),
    );
    return { before, after };
  });

type MixFields = (
  fields: readonly Field[],
  theirs: (other: Contract) => readonly Field[],
) => readonly Field[];

/**
 * Returns the contract with different fields in its structs and messages.
 */
function withFields(contract: Contract, mix: MixFields): Contract {
  const types = contract.types.map((type) =>
    type.kind === "struct"
      ? { ...type, fields: mix(type.fields, (other) => structOf(other, type)) }
      : type,
  );
  const hosts = contract.hosts.map((host) => ({
    ...host,
    services: host.services.map((service) => ({
      ...service,
      methods: service.methods.map((method) => {
        const fields = mix(method.request.fields, requestOf);
        const message = { ...method.request, fields };
        return { ...method, request: message, response: message };
      }),
    })),
  }));
  return { ...contract, types, hosts };
}

function requestOf(contract: Contract): readonly Field[] {
  return contract.hosts[0]?.services[0]?.methods[0]?.request.fields ?? [];
}

function structOf(contract: Contract, { name }: Struct): readonly Field[] {
  const found = contract.types.find((type) => type.name === name);
  return found?.kind === "struct" ? found.fields : [];
}

function mixFields(
  mine: readonly Field[],
  theirs: readonly Field[],
  choose: () => number,
): readonly Field[] {
  const kept = mine.flatMap((field) => {
    const choice = choose();
    const other = theirs.find(({ name }) => name === field.name);
    if (choice === 0) return [];
    if (choice === 1) return [{ ...field, isOptional: !field.isOptional }];
    if (choice === 2) return [{ ...field, isNullable: !field.isNullable }];
    if (choice === 3) return [{ ...field, constraints: {} }];
    return [choice < 6 && other ? other : field];
  });
  const added = theirs.filter(
    ({ name }) => !mine.some((field) => field.name === name) && choose() > 6,
  );
  const mixed = [...kept, ...added];
  // A message without fields has no check function.
  return mixed.length === 0 ? mine : mixed;
}

/** Whether old clients are certain to be safe. */
function isSafe(changes: readonly Change[]): boolean {
  return changes.every(
    (change) =>
      change.code !== "constraint-pattern-changed" &&
      severityOf(change, { isStrict: false, rules: {} }) !== "error",
  );
}

function validatorOf(contract: Contract): (value: unknown) => boolean {
  const [file] = validatorsEmitter.emit(contract, {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  });
  const check = exportedFunction(
    runEmitted(file?.text ?? ""),
    "checkSendRequest",
  );
  return (value) => {
    const report = new FailureReport();
    check(structuredClone(value), report);
    return report.failures.length === 0;
  };
}

describe("changes between contracts", () => {
  it("keep every old request valid if no change is breaking", () => {
    const counts = { safe: 0, unsafe: 0, values: 0 };
    fc.assert(
      fc.property(
        versions.chain(({ before, after }) =>
          fc.record({
            before: fc.constant(before),
            after: fc.constant(after),
            values: fc.array(valueFor(before, requestOf(before)), {
              minLength: 10,
              maxLength: 10,
            }),
          }),
        ),
        ({ before, after, values }) => {
          const isBroken = !isSafe(findChanges(before, after));
          counts[isBroken ? "unsafe" : "safe"] += 1;
          if (isBroken) return;
          const [was, is] = [validatorOf(before), validatorOf(after)];
          for (const value of values.filter(was)) {
            counts.values += 1;
            expect(is(value), JSON.stringify(value)).toBe(true);
          }
        },
      ),
      runs,
    );
    // The test proves nothing unless all kinds are frequent.
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(4);
  });

  it("are not found between equal contracts", () => {
    fc.assert(
      fc.property(arbitraryContract, (contract) => {
        expect(findChanges(contract, structuredClone(contract))).toEqual([]);
      }),
      { ...runs, numRuns: 100 },
    );
  });
});
