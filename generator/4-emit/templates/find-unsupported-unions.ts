import type { Contract } from "../../ir/contract.js";
import { scalars } from "../../ir/scalars.js";
import { variantsOf } from "../../values/variants.js";
import {
  type ResolvedScalar,
  type ResolvedValue,
  valuesOf,
} from "../../values/value.js";
import type { TargetFault } from "../emitter/target.js";

/**
 * Finds unions without a tag whose variants differ in JSON, but not in code: a
 * `bigint` and another number of the same type. A value would be sent as the
 * other variant.
 *
 * Input: a contract, the name of the language for messages, and whether a number
 * has the type of a `bigint` in that language.
 */
export function findUnsupportedUnions(
  contract: Contract,
  language: string,
  isLikeBigint: (number: ResolvedScalar) => boolean,
): readonly TargetFault[] {
  const values = valuesOf(contract);
  const numbersIn = (
    value: ResolvedValue,
  ): readonly ("bigint" | "number")[] => {
    switch (value.kind) {
      case "scalar":
        if (value.scalar === "bigint") return ["bigint"];
        return scalars[value.scalar].wire === "number" && isLikeBigint(value)
          ? ["number"]
          : [];
      case "enum":
        return value.declaration.base === "string" ? [] : ["number"];
      case "union":
        return variantsOf(values)(value.declaration).flatMap((each) =>
          numbersIn(each.value),
        );
      case "bytes":
      case "list":
      case "map":
      case "struct":
        return [];
    }
  };
  return contract.types.flatMap((type) => {
    if (type.kind !== "union" || type.tag !== null) return [];
    const found = variantsOf(values)(type).flatMap((each) =>
      numbersIn(each.value),
    );
    return new Set(found).size < 2
      ? []
      : {
          code: "unsupported-union",
          severity: "error",
          key: null,
          message: `${language} cannot tell the variants of \`${type.name}\` apart`,
          notes: [
            "a `bigint` is a string in JSON, but has the same type as other numbers in code",
          ],
          help: "put one of the numbers in a struct",
        };
  });
}
