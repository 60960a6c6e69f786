import type { Expression, PathExpression } from "./template.js";
import type { ViewType } from "./view-types.js";

/** The types of the values that paths refer to. */
export interface TemplateScope {
  readonly type: ViewType;
  readonly parameters: ReadonlyMap<string, ViewType>;
  readonly outer: TemplateScope | null;
  /** Paths from here that are not null, joined by dots. */
  readonly present: ReadonlySet<string>;
}

/** Returns the paths that are not null if a condition holds, and if not. */
export function presentIf(
  condition: Expression,
): readonly [yes: readonly PathExpression[], no: readonly PathExpression[]] {
  if (condition.kind === "path") return [[condition], []];
  if (condition.kind !== "call") return [[], []];
  const inner = condition.arguments.map(presentIf);
  switch (condition.helper) {
    case "exists":
    case "and":
      return [inner.flatMap(([yes]) => yes), []];
    case "or":
      return [[], inner.flatMap(([, no]) => no)];
    case "not": {
      const [[yes, no] = [[], []]] = inner;
      return [no, yes];
    }
  }
  return [[], []];
}

/**
 * Returns what is known at an argument of a helper. `and` and `or` only look at
 * a value if those before it decide nothing.
 */
export function knownBefore(
  { arguments: values, helper }: Extract<Expression, { kind: "call" }>,
  index: number,
  scope: TemplateScope,
): TemplateScope {
  const before = values.slice(0, index).map(presentIf);
  if (helper === "and") {
    return withPresent(
      scope,
      before.flatMap(([yes]) => yes),
    );
  }
  return helper === "or"
    ? withPresent(
        scope,
        before.flatMap(([, no]) => no),
      )
    : scope;
}

/** Adds paths that are not null to a scope. */
export function withPresent(
  scope: TemplateScope,
  paths: readonly PathExpression[],
): TemplateScope {
  const here = paths.filter(({ depth }) => depth === 0);
  const above = paths
    .filter(({ depth }) => depth > 0)
    .map((path) => ({ ...path, depth: path.depth - 1 }));
  if (paths.length === 0) return scope;
  return {
    ...scope,
    outer: scope.outer && withPresent(scope.outer, above),
    present: new Set([
      ...scope.present,
      ...here.map(({ names }) => names.join(".")),
    ]),
  };
}
