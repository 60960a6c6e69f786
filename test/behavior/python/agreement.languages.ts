import fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import {
  requestOf,
  unionContract,
  unionValues,
} from "../../support/arbitrary-unions.js";
import { judgesOf } from "../../support/judge-unions.js";
import { writeSet } from "../write-set.js";
import { pytest } from "./pytest.js";

const work = mkdtempSync(join(tmpdir(), "ridlkit-agreement-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/**
 * The number of contracts. To judge 100,000 values, run `RIDLKIT_RUNS=25 npm run
 * test:long -- languages python -t agrees`.
 */
const contractCount = Math.ceil(
  100 * Number(process.env["RIDLKIT_RUNS"] ?? 0.1),
);
const valuesOfEach = 40;

const timeout = 600_000 + 500 * contractCount;

it("agrees with servers on random values of unions", { timeout }, async () => {
  const seed = Number(process.env["RIDLKIT_SEED"] ?? 20_261_120);
  // The compiler rejects unions of one variant. Python reads all 64 bits of an
  // `int64`, reads a `bigint` from a number, too, and has one type for both.
  // Members that a client ignores can be the only difference between items of a
  // list.
  const valid = unionContract.filter(
    (contract) =>
      contract.types.every(
        (each) =>
          each.kind !== "union" ||
          (each.variants.length > 1 &&
            !each.variants.some(
              (variant) =>
                variant.kind === "scalar" &&
                /^(?:bigint|u?int64)$/u.test(variant.name),
            )),
      ) && requestOf(contract).every((each) => !each.constraints.uniqueItems),
  );
  const contracts = fc.sample(valid, { numRuns: contractCount, seed });
  const judged = contracts.flatMap((contract, at) => {
    const name = `unions${at}`;
    writeSet("python", contract, work, name);
    const { judge } = judgesOf(contract);
    return (
      fc
        .sample(unionValues(contract), { numRuns: valuesOfEach, seed })
        // pydantic cannot read unpaired surrogates.
        .filter((value) => !/\\ud[89a-f]/u.test(JSON.stringify(value)))
        .map((value) => ({ name, value, isValid: judge(value).validator }))
    );
  });
  const path = join(work, "values.json");
  writeFileSync(path, JSON.stringify(judged));
  const output = await pytest(work, "test_agreement.py", { VALUES: path });
  expect(output).toMatch(/ passed/u);
});
