import fc from "fast-check";
import { expect, it } from "vitest";
import {
  overlapsIn,
  unionContract,
  unionValues,
} from "../support/arbitrary-unions.js";
import { judgesOf } from "../support/judge-unions.js";

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

it("judges of unions agree on random JSON", () => {
  const counts = { fits: 0, misfits: 0, more: 0 };
  fc.assert(
    fc.property(contractAndValues, ({ contract, values }) => {
      const { judge } = judgesOf(contract);
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

it("judges of unions accept the values of mocks", () => {
  const texts = new Set<string>();
  fc.assert(
    fc.property(unionContract, fc.nat(), (contract, seed) => {
      const { judge, mock } = judgesOf(contract);
      for (let index = 0; index < valuesOfEach; index += 1) {
        const value = mock(seed + index);
        const { schemas, standard, validator } = judge(value);
        const text = JSON.stringify(value);
        texts.add(text);
        expect({ validator, standard, ...schemas }, text).toEqual({
          ...{ validator: true, standard: true, "schema.json": true },
          ...{ "draft-07": true, "draft-2020-12": true, tool: true },
        });
      }
    }),
    { numRuns: 100, endOnFailure: true },
  );
  expect(texts.size).toBeGreaterThan(100);
});
