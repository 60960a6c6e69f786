import { buildFunction, buildLocal } from "../text/build.js";
import { flatten, render, type Doc } from "../text/format.js";
import { camelCase } from "../../names/casing.js";
import { quoteRegExp } from "../text/quote.js";
import type { Structure } from "../text/structures.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type { Imports } from "../plan/imports.js";
import { namesOf } from "../plan/name-sets.js";
import type { DeclaredName, ObjectPlan, Plan, UnitPlan } from "../plan/plan.js";

/** The state of a `validators.ts` file that is being written. */
export interface ValidatorContext extends FileScope {
  /** Patterns and sets of values, created once when the file is loaded. */
  readonly constants: Structure[];
  /** Checks of lists and maps. Each comes after the checks that it uses. */
  readonly containers: Structure[];
  /** Predicates of fields with their own limits. */
  readonly predicates: Structure[];
  /**
   * Names of hoisted constants and predicates by their text, so that each is
   * written once.
   */
  readonly hoisted: Map<string, string>;
  /** Aliases of lists and maps whose check is in `containers`. */
  readonly written: Set<string>;
}

/** Creates the state of an empty file of a unit. */
export function createValidatorContext(
  plan: Plan,
  unit: UnitPlan,
): ValidatorContext {
  return {
    ...createScope(plan, unit, "validators"),
    constants: [],
    containers: [],
    predicates: [],
    hoisted: new Map(),
    written: new Set(),
  };
}

/** Returns `isX` or `checkX` of a declared type, imported if necessary. */
export function exported(
  { imports }: ValidatorContext,
  verb: "is" | "check",
  { name, unit }: Pick<DeclaredName, "name" | "unit">,
): string {
  return imports.generated(unit, "validators", verb + name);
}

/**
 * Writes a constant once and returns its name, which is based on `proposed` if
 * the constant is new.
 */
export function hoist(
  context: ValidatorContext,
  into: Structure[],
  proposed: string,
  value: Doc,
): string {
  const text = keyOf(value);
  const known = context.hoisted.get(text);
  if (known !== undefined) return known;
  const name = context.locals.claim(proposed);
  context.hoisted.set(text, name);
  into.push(buildLocal(name, value));
  return name;
}

/** Adds a set of the names of an object's fields and returns its name. */
export function hoistNames(
  context: ValidatorContext,
  object: ObjectPlan,
): string {
  const name = `${camelCase(object.name)}Fields`;
  return hoist(context, context.constants, name, namesOf(object));
}

/** Returns text that is equal for equal code: on one line if possible. */
export function keyOf(code: Doc): string {
  return flatten(code) ?? render(code);
}

/** Adds a constant with a pattern, e.g. `addressPattern`. */
export function hoistPattern(
  context: ValidatorContext,
  owner: string,
  pattern: string,
): string {
  const proposed = `${camelCase(owner)}Pattern`;
  const literal = quoteRegExp(pattern);
  const value = hasCounted.test(pattern)
    ? `/* @__PURE__ */ ${context.imports.runtime("codegen/checks", "unrolled")}(${literal})`
    : literal;
  return hoist(context, context.constants, proposed, value);
}

/** Finds a character class with a count. False positives are harmless. */
const hasCounted = /(?:\]|\\[dDwWsS])\{\d{1,2}\}/u;

/** Builds `checkX(value, report)` with these statements. */
export function buildCheck(
  imports: Imports,
  name: string,
  statements: readonly Doc[],
): Structure {
  const report = imports.runtimeType("validation", "Report");
  return buildFunction(
    [`Reports each place where \`value\` is not a valid \`${name}\`.`],
    `check${name}`,
    [
      { name: "value", type: "unknown" },
      { name: "report", type: report },
    ],
    "void",
    statements,
  );
}
