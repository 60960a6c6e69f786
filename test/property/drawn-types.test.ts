import fc from "fast-check";
import { expect, test } from "vitest";
import { metadataKeys } from "../../generator/2-check/notation/notation.js";
import type { TypeReference } from "../../generator/ir/contract.js";
import { scalarNames } from "../../generator/ir/scalars.js";
import { arbitraryContract } from "../support/arbitrary-types.js";

/** Every kind of type. */
const kinds: Readonly<Record<TypeReference["kind"], true>> = {
  list: true,
  map: true,
  reference: true,
  scalar: true,
};

test("random contracts contain every type and every limit", () => {
  const found = new Set<unknown>();
  const collect = (key: string, value: unknown): unknown => {
    found.add(`${key}:`);
    if (key === "kind" || key === "name") found.add(value);
    if (value === true) found.add(`${key} ${value}`);
    return typeof value === "bigint" ? String(value) : value;
  };
  for (const each of fc.sample(arbitraryContract, { numRuns: 200, seed: 1 })) {
    JSON.stringify(each, collect);
  }
  const limits = [...metadataKeys].flatMap(([key, { limits: of }]) =>
    of === null ? [] : `${key}:`,
  );
  const flags = ["isOptional", "isNullable", "isSensitive", "acceptsInteger"];
  const constructs = [
    ...Object.keys(kinds),
    // Files are not JSON.
    ...scalarNames.filter((name) => name !== "file"),
    ...limits,
    ...flags.map((flag) => `${flag} true`),
  ];
  expect(constructs.filter((each) => !found.has(each))).toEqual([]);
});
