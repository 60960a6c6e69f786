import type { Field, TypeReference, Union } from "../ir/contract.js";
import { remember } from "../ir/remember.js";
import { typesWithin } from "./reachable-types.js";
import type { ContractValues, ResolvedValue } from "./value.js";

/**
 * Returns the types of the variants, and first those that cannot contain the
 * union again. If all can, the first one has values that do not. Whoever always
 * takes the first variant ends every recursion.
 */
export const finiteFirst = remember(
  (scope: ContractValues, union: Union): readonly TypeReference[] => {
    const isEndless = (type: TypeReference): boolean =>
      typesWithin(scope, type).has(union.name);
    const endless = union.variants.filter(isEndless);
    if (endless.length < union.variants.length) {
      return [
        ...union.variants.filter((type) => !endless.includes(type)),
        ...endless,
      ];
    }
    const ranks = ranksWithin(scope, union.name);
    const rankOf = (type: TypeReference): number =>
      rankOfValue(scope, ranks, scope.valueOf(type));
    const least = Math.min(...endless.map(rankOf));
    const first = endless.findIndex((type) => rankOf(type) === least);
    return [...endless.slice(first), ...endless.slice(0, first)];
  },
);

/** The ranks of structs and unions by name. */
type Ranks = ReadonlyMap<string, number>;

/**
 * Returns the ranks of the structs and unions that a type contains. A struct or
 * union has values that only need those with lower ranks.
 */
function ranksWithin(scope: ContractValues, name: string): Ranks {
  const ranks = new Map<string, number>();
  const waiting = new Set(typesWithin(scope, { kind: "reference", name }));
  for (let size = -1; size < ranks.size;) {
    ({ size } = ranks);
    for (const each of waiting) {
      const type = scope.type(each);
      if (type.kind !== "struct" && type.kind !== "union") continue;
      const parts =
        type.kind === "struct" ? type.fields.filter(isNeeded) : type.variants;
      const needs = parts.map((part) =>
        rankOfValue(scope, ranks, scope.valueOf(part)),
      );
      const isFinite =
        type.kind === "struct"
          ? needs.every((rank) => rank < Infinity)
          : needs.some((rank) => rank < Infinity);
      if (!isFinite) continue;
      ranks.set(each, ranks.size + 1);
      waiting.delete(each);
    }
  }
  return ranks;
}

function isNeeded({ isNullable, isOptional }: Field): boolean {
  return !isNullable && !isOptional;
}

/** Returns the rank of what a value needs: 0 for nothing, or `Infinity`. */
function rankOfValue(
  scope: ContractValues,
  ranks: Ranks,
  value: ResolvedValue,
): number {
  if (value.isNullable) return 0;
  switch (value.kind) {
    case "struct":
    case "union":
      return ranks.get(value.declaration.name) ?? Infinity;
    case "list":
      return (value.limits.minItems ?? 0) === 0
        ? 0
        : rankOfValue(scope, ranks, scope.valueOf(value.element));
    case "map":
      return (value.limits.minProperties ?? 0) === 0
        ? 0
        : rankOfValue(scope, ranks, scope.valueOf(value.held));
    case "scalar":
    case "bytes":
    case "enum":
      return 0;
  }
}
