import fc from "fast-check";
import { expect, test } from "vitest";
import { metadataKeys } from "../../generator/2-check/notation/notation.js";
import type {
  TypeDeclaration,
  TypeReference,
} from "../../generator/ir/contract.js";
import { scalarNames } from "../../generator/ir/scalars.js";
import { arbitraryContract } from "../support/arbitrary-types.js";

/** Every kind of type. */
const kinds: Readonly<Record<(TypeDeclaration | TypeReference)["kind"], true>> =
  {
    alias: true,
    enum: true,
    list: true,
    map: true,
    reference: true,
    scalar: true,
    struct: true,
    union: true,
  };

test("random contracts contain every type and every limit", () => {
  const found = new Set<unknown>();
  const collect = (key: string, value: unknown): unknown => {
    found.add(`${key}:`);
    if (key === "kind" || key === "name") found.add(value);
    if (value === true || value === null) found.add(`${key} ${value}`);
    if (key === "tag" && value !== null) found.add("a tag");
    if (key === "choice") found.add(`choice of ${String(value).length > 0}`);
    return typeof value === "bigint" ? String(value) : value;
  };
  for (const each of fc.sample(arbitraryContract, { numRuns: 200, seed: 1 })) {
    JSON.stringify(each, collect);
  }
  const limits = [...metadataKeys].flatMap(([key, { limits: of }]) =>
    of === null ? [] : `${key}:`,
  );
  const flags = [
    ...[
      "isOptional",
      "isNullable",
      "isSensitive",
      "isExtra",
      "acceptsInteger",
      "isOpen",
    ],
  ];
  const constructs = [
    ...Object.keys(kinds),
    // Files are not JSON.
    ...scalarNames.filter((name) => name !== "file"),
    ...limits,
    ...flags.map((flag) => `${flag} true`),
    // The forms of unions.
    ...["a tag", "tag null", "choice of true", "choice of false"],
  ];
  expect(constructs.filter((each) => !found.has(each))).toEqual([]);
});
