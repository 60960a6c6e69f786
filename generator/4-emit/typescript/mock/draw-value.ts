import { choicesOf, countRange, exampleOf } from "../../../values/choices.js";
import { enumValuesOf } from "../../../values/allowed-values.js";
import { finiteFirst } from "../../../values/finite-first.js";
import { valuesOf } from "../../../values/value.js";
import { camelCase } from "../../names/casing.js";
import type { FileScope } from "../plan/file-scope.js";
import { literalOf, literalsOf } from "../plan/literal-of.js";
import type {
  AliasPlan,
  DeclaredName,
  EnumValue,
  FieldPlan,
  ListValue,
  MapValue,
  ScalarValue,
  UnionPlan,
  Value,
} from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { buildLocal } from "../text/build.js";
import { flatten, typeText, type Doc } from "../text/format.js";
import { quoteNumber, quoteString } from "../text/quote.js";
import { arrayOf, callOf, callWithArrow } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";

/** The state of a `mock.ts` file that is being written. */
export interface MockScope extends FileScope {
  /** Name of the parameter that draws random values. */
  readonly draw: string;
  /** Lists of strings from which values are drawn. */
  readonly constants: Structure[];
}

/** How to draw a value: the name of a declared type's function, or code. */
export type Drawing =
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "code"; readonly code: Doc };

/** Returns how to draw the value of a field that is present. */
export function drawField(
  scope: MockScope,
  { field, own, type, value }: FieldPlan,
  owner: string,
): Drawing {
  const isLimited = Object.keys(own).length > 0;
  const drawing = isLimited
    ? drawWritten(scope, value, owner)
    : drawValue(scope, type);
  if (field.isNullable && isImpossible(value)) return inline("null");
  return field.isNullable
    ? inline(callMaker(`${scope.draw}.nullable`, [], drawing))
    : drawing;
}

/** Whether no value is valid, because an enum or a list of values is empty. */
export function isImpossible(value: Value): boolean {
  switch (value.kind) {
    case "enum":
      return enumValuesOf(value.resolved).length === 0;
    case "list":
      return (value.limits.minItems ?? 0) > 0 && isImpossibleItem(value.held);
    case "map":
      return (
        (value.limits.minProperties ?? 0) > 0 &&
        (isImpossible(value.key) || isImpossibleItem(value.held))
      );
    case "scalar":
      return value.allowed?.length === 0;
    case "bytes":
    case "struct":
    case "union":
      return false;
  }
}

function isImpossibleItem(value: Value): boolean {
  return !value.isNullable && isImpossible(value);
}

/** Whether the only value that is drawn is known: null, or an empty list. */
export function isConstant(value: Value): boolean {
  switch (value.kind) {
    case "scalar":
      return value.form.sample === "null";
    case "list":
      return isImpossibleItem(value.held);
    case "map":
      return isImpossible(value.key) || isImpossibleItem(value.held);
    case "enum":
    case "bytes":
    case "struct":
    case "union":
      return false;
  }
}

/** Returns how to draw a value of an alias. */
export function drawAlias(scope: MockScope, plan: AliasPlan): Drawing {
  return drawWritten(scope, plan.value, plan.name);
}

/** Returns the code that draws a value. */
export function codeOf({ draw }: MockScope, drawing: Drawing): Doc {
  return drawing.kind === "function"
    ? `${drawing.name}(${draw})`
    : drawing.code;
}

/** Builds a call whose last argument is a function that draws a value. */
export function callMaker(
  callee: string,
  args: readonly Doc[],
  drawing: Drawing,
): Doc {
  return drawing.kind === "function"
    ? callOf(callee, [...args, drawing.name])
    : callWithArrow(callee, args, "", drawing.code);
}

function inline(code: Doc): Drawing {
  return { kind: "code", code };
}

/**
 * Returns how to draw a value of a type. If the type is declared, uses its
 * function.
 */
function drawValue(scope: MockScope, value: Value): Drawing {
  return value.declared === null
    ? drawWritten(scope, value, "")
    : drawDeclared(scope, value.declared);
}

function drawDeclared(
  { imports }: MockScope,
  { name, unit }: DeclaredName,
): Drawing {
  const draw = imports.generated(unit, "mock", `draw${name}`);
  return { kind: "function", name: draw };
}

/**
 * Returns how to draw a value without the function of its declared type.
 *
 * Input: the scope, the value, and a prefix for the names of its sample lists.
 */
function drawWritten(scope: MockScope, value: Value, owner: string): Drawing {
  const { draw } = scope;
  switch (value.kind) {
    case "enum":
      return drawExample(scope, value, drawEnum(scope, value));
    case "struct":
    case "union":
      return drawDeclared(scope, value.type);
    case "scalar":
      return drawExample(scope, value, inline(drawScalar(scope, value, owner)));
    case "bytes": {
      const { maxItems = Infinity, minItems = 0 } = value.limits;
      const lengths = countRange(minItems, maxItems, 12);
      return inline(callOf(`${draw}.bytes`, lengths.map(quoteNumber)));
    }
    case "list":
      return inline(drawList(scope, value));
    case "map":
      return inline(drawMap(scope, value));
  }
}

/**
 * Returns code that draws a value of one of the variants. The first one ends a
 * recursion.
 */
export function drawUnion(scope: MockScope, union: UnionPlan): Doc {
  const { draw } = scope;
  const { variants } = union.union;
  const ordered = finiteFirst(valuesOf(scope.plan.contract), union.union)
    .flatMap((type) => union.variants[variants.indexOf(type)]?.value ?? [])
    .filter((value) => !isImpossible(value));
  // Each function draws a different type, so the compiler cannot infer theirs.
  const type = typeText(`<${declaredType(scope.imports, union)}>`);
  return callOf(
    [`${draw}.oneOf`, type],
    ordered.map((value) => makerOf(scope, value)),
  );
}

/** Returns a function that draws a value. */
function makerOf(scope: MockScope, value: Value): Doc {
  const drawing = drawValue(scope, value);
  if (drawing.kind === "function") return drawing.name;
  return [`(${isConstant(value) ? "" : scope.draw}) => `, drawing.code];
}

/** Default maximum number of items. Longer lists are hard to read. */
const defaultMaxItems = 3;

function drawList(scope: MockScope, { held, limits }: ListValue): Doc {
  const { maxItems = Infinity, minItems = 0, uniqueItems = false } = limits;
  if (isImpossibleItem(held) && minItems === 0) return "[]";
  const [, most] = countRange(minItems, maxItems, defaultMaxItems);
  return callMaker(
    `${scope.draw}.${uniqueItems ? "unique" : "list"}`,
    [quoteNumber(minItems), quoteNumber(most)],
    drawItem(scope, held),
  );
}

function drawMap(scope: MockScope, { held, key, limits }: MapValue): Doc {
  const { maxProperties = Infinity, minProperties = 0 } = limits;
  if ((isImpossible(key) || isImpossibleItem(held)) && minProperties === 0)
    return "{}";
  const [, most] = countRange(minProperties, maxProperties, defaultMaxItems);
  const ends = [quoteNumber(minProperties), quoteNumber(most)];
  // Flatten the keys, because Prettier would otherwise put each argument on its
  // own line.
  const keys = flatten(drawKeys(scope, key, ends)) ?? "";
  return callMaker(`${scope.draw}.map`, [keys], drawItem(scope, held));
}

/** Returns how to draw an item of a list or map. */
function drawItem(scope: MockScope, held: Value): Drawing {
  if (!held.isNullable) return drawValue(scope, held);
  if (isImpossible(held)) return inline("null");
  const drawing = drawValue(scope, held);
  return inline(callMaker(`${scope.draw}.nullable`, [], drawing));
}

/** Returns code that draws keys, which are strings regardless of their type. */
function drawKeys(scope: MockScope, key: Value, ends: readonly Doc[]): Doc {
  const { draw } = scope;
  const isNumber = key.kind === "scalar" && key.form.type !== "string";
  if (!isNumber && key.declared === null) return callOf(`${draw}.keys`, ends);
  const keys = callMaker(`${draw}.unique`, ends, drawValue(scope, key));
  return isNumber ? [keys, ".map(String)"] : keys;
}

/** Returns how to draw the example of a value first, if there is one. */
function drawExample(
  { draw, plan }: MockScope,
  value: ScalarValue | EnumValue,
  usual: Drawing,
): Drawing {
  const example = exampleOf(value.resolved, plan.options.int64);
  if (example === undefined) return usual;
  const code =
    value.kind === "enum"
      ? quoteString(String(example))
      : literalOf(value.form, example);
  return inline(callMaker(`${draw}.prefer`, [code], usual));
}

function drawEnum(scope: MockScope, value: EnumValue): Drawing {
  const literals = literalsOf(value);
  return literals === null
    ? drawDeclared(scope, value.type)
    : inline([`${scope.draw}.pick(`, arrayOf(literals), ")"]);
}

/** Returns code that draws a value, ignoring the example. */
function drawScalar(scope: MockScope, value: ScalarValue, owner: string): Doc {
  const { draw, plan } = scope;
  const { sample } = value.form;
  if (sample === "date" || sample === "timestamp") return `${draw}.${sample}()`;
  const choices = choicesOf(value.resolved, plan.options.int64);
  switch (choices.kind) {
    case "null":
      return "null";
    case "boolean":
      return `${draw}.bool()`;
    case "file":
      return `${draw}.file()`;
    case "integers":
      return callOf(
        `${draw}.${sample === "bigint" ? sample : "integer"}`,
        choices.range.map(quoteNumber),
      );
    case "floats":
      return callOf(`${draw}.number`, choices.range.map(quoteNumber));
    case "listed":
      return [`${draw}.pick(`, arrayOf(literalsOf(value) ?? []), ")"];
    case "texts":
      return callOf(`${draw}.pick`, [hoist(scope, owner, choices.texts)]);
    case "words":
      return callOf(`${draw}.text`, choices.range.map(quoteNumber));
  }
}

/** Adds a list of strings to the constants of the file and returns its name. */
function hoist(
  { constants, locals }: MockScope,
  owner: string,
  texts: readonly string[],
): string {
  const name = locals.claim(`${camelCase(owner)}Samples`);
  constants.push(buildLocal(name, arrayOf(texts.map(quoteString))));
  return name;
}
