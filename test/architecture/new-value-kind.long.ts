import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyCode, findFaults } from "./support/scratch-copy.js";

/** Adds a member to a union, and its declaration. */
function addMember(
  path: string,
  [union, extended]: readonly [string, string],
  declaration: string,
): void {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(union);
  writeFileSync(path, `${text.replace(union, extended)}\n${declaration}\n`);
}

/** Sketches a type whose values are lists of two structs. */
function addPair(folder: string): void {
  addMember(
    join(folder, "generator/ir/contract.ts"),
    [
      "= Struct | Enum | Alias | Union;",
      "= Struct | Enum | Alias | Union | Pair;",
    ],
    `/** A list of two structs. */
export interface Pair extends Declaration {
  readonly kind: "pair";
  readonly structs: readonly [string, string];
}`,
  );
  addMember(
    join(folder, "generator/values/value.ts"),
    ["| ResolvedUnion;", "| ResolvedUnion\n  | ResolvedPair;"],
    `/** A list of two structs. */
export interface ResolvedPair extends ResolvedFacts {
  readonly kind: "pair";
  readonly structs: readonly [ResolvedStruct, ResolvedStruct];
}`,
  );
}

test("the compiler names every fold over values if there is another kind", () => {
  const folder = copyCode();
  addPair(folder);
  const folds = findFaults(folder);
  expect(folds).toEqual([
    "cli/commands/complete.ts",
    "generator/4-emit/docs/create-data.ts",
    "generator/4-emit/json-schema/schema-of.ts",
    "generator/4-emit/openapi/operations.ts",
    "generator/4-emit/templates/find-unsupported-unions.ts",
    "generator/4-emit/typescript/plan/values.ts",
    "generator/4-emit/view/core-types.ts",
    "generator/4-emit/view/create-types.ts",
    "generator/http/method-paging.ts",
    "generator/http/slots.ts",
    "generator/values/choices.ts",
    "generator/values/finite-first.ts",
    "generator/values/reachable-types.ts",
    "generator/values/sampler.ts",
    "generator/values/value.ts",
    "generator/values/variants.ts",
    "tools/breaking/compatibility/old-type.ts",
    "tools/breaking/compatibility/past-places.ts",
    "tools/breaking/diff/facts/inner-types.ts",
    "tools/breaking/diff/facts/sets.ts",
    "tools/breaking/diff/facts/value.ts",
    "tools/breaking/diff/rules/declarations.ts",
    "tools/call/read-request.ts",
    "tools/conformance/canonical.ts",
    "tools/mock/join-extra.ts",
    "tools/test/draw-message.ts",
    "tools/test/find-specials.ts",
    "tools/test/odd-requests.ts",
  ]);

  addMember(
    join(folder, "generator/4-emit/typescript/plan/plan.ts"),
    ["| UnionValue;", "| UnionValue\n  | PairValue;"],
    `/** A list of two objects. */
export interface PairValue extends ValueFacts {
  readonly kind: "pair";
  readonly types: readonly [StructPlan, StructPlan];
}`,
  );
  const emitters = findFaults(folder).filter((path) => !folds.includes(path));
  expect(emitters).toEqual([
    "generator/4-emit/typescript/mock/draw-value.ts",
    "generator/4-emit/typescript/mock/mock.ts",
    "generator/4-emit/typescript/plan/convert.ts",
    "generator/4-emit/typescript/plan/exactness.ts",
    "generator/4-emit/typescript/plan/method-entries.ts",
    "generator/4-emit/typescript/plan/needs.ts",
    "generator/4-emit/typescript/plan/type-text.ts",
    "generator/4-emit/typescript/validators/containers.ts",
    "generator/4-emit/typescript/validators/item-keys.ts",
    "generator/4-emit/typescript/validators/predicates.ts",
    "tools/migrate/trpc/find-nulls.ts",
    "tools/migrate/trpc/message-form.ts",
    "tools/package/readme-examples.ts",
  ]);
}, 300_000);
