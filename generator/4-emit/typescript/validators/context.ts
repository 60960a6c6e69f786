import { buildLocal } from "../text/build.js";
import { flatten, render, type Doc } from "../text/format.js";
import { camelCase } from "../../names/casing.js";
import { quoteRegExp } from "../text/quote.js";
import type { Structure } from "../text/structures.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type { DeclaredName, Plan, UnitPlan } from "../plan/plan.js";

/** A `validators.ts` while it is being written. */
export interface ValidatorContext extends FileScope {
  /** Patterns and sets of values, made once when the file is loaded. */
  readonly constants: Structure[];
  /** Checks of lists and maps, each after those that it is made of. */
  readonly containers: Structure[];
  /** Predicates of fields that have limits of their own. */
  readonly predicates: Structure[];
  /** Names of what is hoisted, by its text, so that nothing is there twice. */
  readonly hoisted: Map<string, string>;
  /** Aliases of lists and maps whose check is in `containers`. */
  readonly written: Set<string>;
}

/** An empty file of a unit. */
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

/** `isX` or `checkX` of a declared type, imported where needed. */
export function exported(
  { imports }: ValidatorContext,
  verb: "is" | "check",
  { name, unit }: Pick<DeclaredName, "name" | "unit">,
): string {
  return imports.generated(unit, "validators", verb + name);
}

/**
 * Name of something that is written once and used wherever the same is
 * needed.
 *
 * Input: the list it goes to, its value, a name to use if it is new.
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

/** Text that is the same for the same code: on one line, if it can be. */
export function keyOf(code: Doc): string {
  return flatten(code) ?? render(code);
}

/** Constant with a pattern, e.g. `addressPattern`. */
export function hoistPattern(
  context: ValidatorContext,
  owner: string,
  pattern: string,
): string {
  const proposed = `${camelCase(owner)}Pattern`;
  const literal = quoteRegExp(pattern);
  const value = hasCounted.test(pattern)
    ? `/* @__PURE__ */ ${context.imports.runtime("validation", "unrolled")}(${literal})`
    : literal;
  return hoist(context, context.constants, proposed, value);
}

/** A class that stands a number of times; never mind if it is not one. */
const hasCounted = /(?:\]|\\[dDwWsS])\{\d{1,2}\}/u;
