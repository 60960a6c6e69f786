import { expect, it } from "vitest";
import * as fc from "../../support/fast-check.js";
import { arbitraryApi } from "./arbitrary-api.js";
import { compareImport } from "./compare-import.js";

it("contracts of random documents accept the values that ajv accepts, apart from notes", () => {
  const sum = { values: 0, valid: 0, noted: 0 };
  const property = fc.property(
    arbitraryApi,
    fc.integer({ min: 1, max: 1e6 }),
    (api, seed) => {
      const text = JSON.stringify(api);
      const parsed: unknown = JSON.parse(text);
      const readers = { text: () => ({ text }), parsed: () => parsed };
      const found = compareImport("a.json", readers, { count: 20, seed });
      const { disagreements = [], valid = 0, values = 0 } = found ?? {};
      const silent = disagreements.filter(({ note }) => note === null);
      expect(silent).toEqual([]);
      expect(found?.missing).toEqual([]);
      sum.values += values;
      sum.valid += valid;
      sum.noted += disagreements.length;
    },
  );
  fc.assert(property, { numRuns: 200 });
  console.log(sum);
  expect(sum.valid).toBeGreaterThan(sum.values / 4);
  expect(sum.values - sum.valid).toBeGreaterThan(sum.values / 8);
}, 600_000);
