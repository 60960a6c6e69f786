import type { Constraints } from "../../../ir/contract.js";
import { lengthsOf, textTest } from "../../../ir/limits.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import { scalars } from "../../../ir/scalars.js";
import { camelCase } from "../../names/casing.js";
import type { FileScope } from "../plan/file-scope.js";
import type {
  AliasPlan,
  DeclaredName,
  FieldPlan,
  ListValue,
  MapValue,
  ScalarValue,
  Value,
} from "../plan/plan.js";
import { buildLocal } from "../text/build.js";
import { flatten, type Doc } from "../text/format.js";
import { quoteNumber, quoteString } from "../text/quote.js";
import { arrayOf, callOf, callWithArrow } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";
import { exampleOf } from "./examples.js";
import { countRange, floatRange, integerRange } from "./ranges.js";
import { findSamples } from "./samples.js";

/** The state of a `mock.ts` file that is being written. */
export interface MockScope extends FileScope {
  readonly index: ContractIndex;
  /** Name of the parameter that draws random values. */
  readonly draw: string;
  /** Lists of strings from which values are drawn. */
  readonly constants: Structure[];
}

/** How to draw a value: the name of a declared type's function, or code. */
export type Drawing =
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "code"; readonly code: Doc };

/** The information in the schema about a value, besides its type. */
interface ValueHints {
  /**
   * Limits, all of which apply: those of the field or alias, followed by those
   * of each alias that it refers to.
   */
  readonly limits: readonly Constraints[];
  /** Known strings, or null if there are none. */
  readonly known: readonly string[] | null;
  /** Prefix for the names of its sample lists. */
  readonly owner: string;
}

const noHints: ValueHints = { limits: [], known: null, owner: "" };

/** Returns how to draw the value of a field that is present. */
export function drawField(
  scope: MockScope,
  { field, own, type, value }: FieldPlan,
  owner: string,
): Drawing {
  const { index } = scope;
  const isLimited = Object.keys(own).length > 0;
  const drawing = isLimited
    ? drawWritten(scope, value, {
        limits: index.constraintsAlong(field),
        known: knownStrings(scope, index.aliasesFrom(field.type)),
        owner,
      })
    : drawValue(scope, type);
  return field.isNullable
    ? inline(callMaker(`${scope.draw}.nullable`, [], drawing))
    : drawing;
}

/** Returns how to draw a value of an alias. */
export function drawAlias(scope: MockScope, plan: AliasPlan): Drawing {
  const { alias, name, own, value } = plan;
  const { index } = scope;
  return drawWritten(scope, value, {
    limits: [own, ...index.constraintsAlong(alias.type)],
    known: knownStrings(scope, [alias, ...index.aliasesFrom(alias.type)]),
    owner: name,
  });
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

function knownStrings(
  { index }: MockScope,
  aliases: readonly { readonly known: string | null }[],
): readonly string[] | null {
  const known = aliases.find((each) => each.known !== null)?.known ?? null;
  const type = known === null ? null : index.type(known);
  return type?.kind === "enum"
    ? type.members.map(({ jsonValue }) => jsonValue)
    : null;
}

/**
 * Returns how to draw a value of a type. If the type is declared, uses its
 * function.
 */
function drawValue(scope: MockScope, value: Value): Drawing {
  return value.declared === null
    ? drawWritten(scope, value, noHints)
    : drawDeclared(scope, value.declared);
}

function drawDeclared(
  { imports }: MockScope,
  { name, unit }: DeclaredName,
): Drawing {
  const draw = imports.generated(unit, "mock", `draw${name}`);
  return { kind: "function", name: draw };
}

function drawWritten(
  scope: MockScope,
  value: Value,
  hints: ValueHints,
): Drawing {
  const { draw } = scope;
  switch (value.kind) {
    case "enum":
    case "struct":
      return drawDeclared(scope, value.type);
    case "scalar":
      return inline(drawScalar(scope, value, hints));
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

/** Default maximum number of items. Longer lists are hard to read. */
const defaultMaxItems = 3;

function drawList(scope: MockScope, { held, limits }: ListValue): Doc {
  const { maxItems = Infinity, minItems = 0, uniqueItems = false } = limits;
  const [, most] = countRange(minItems, maxItems, defaultMaxItems);
  return callMaker(
    `${scope.draw}.${uniqueItems ? "unique" : "list"}`,
    [quoteNumber(minItems), quoteNumber(most)],
    drawValue(scope, held),
  );
}

function drawMap(scope: MockScope, { held, key, limits }: MapValue): Doc {
  const { maxProperties = Infinity, minProperties = 0 } = limits;
  const [, most] = countRange(minProperties, maxProperties, defaultMaxItems);
  const ends = [quoteNumber(minProperties), quoteNumber(most)];
  // Flatten the keys, because Prettier would otherwise put each argument on its
  // own line.
  const keys = flatten(drawKeys(scope, key, ends)) ?? "";
  return callMaker(`${scope.draw}.map`, [keys], drawValue(scope, held));
}

/** Returns code that draws keys, which are strings regardless of their type. */
function drawKeys(scope: MockScope, key: Value, ends: readonly Doc[]): Doc {
  const { draw } = scope;
  const isNumber = key.kind === "scalar" && key.form.type !== "string";
  if (!isNumber && key.declared === null) return callOf(`${draw}.keys`, ends);
  const keys = callMaker(`${draw}.unique`, ends, drawValue(scope, key));
  return isNumber ? [keys, ".map(String)"] : keys;
}

function drawScalar(
  scope: MockScope,
  value: ScalarValue,
  hints: ValueHints,
): Doc {
  const usual = drawUsual(scope, value, hints);
  const example = exampleOf(value, hints.limits);
  return example === null || hints.known !== null
    ? usual
    : callMaker(`${scope.draw}.prefer`, [example], inline(usual));
}

/** Returns code that draws a value, ignoring the example. */
function drawUsual(
  scope: MockScope,
  value: ScalarValue,
  hints: ValueHints,
): Doc {
  const { draw } = scope;
  const { form, limits, name } = value;
  switch (form.sample) {
    case "null":
      return "null";
    case "boolean":
      return `${draw}.bool()`;
    case "date":
    case "timestamp":
    case "file":
      return `${draw}.${form.sample}()`;
    case "any":
      return `${draw}.text(1, ${defaultMaxLength})`;
    case "bigint": {
      const range = integerRange(limits, name);
      return callOf(`${draw}.bigint`, range.map(quoteNumber));
    }
    case "number": {
      const isInteger = scalars[name].range !== null;
      const range = isInteger ? integerRange(limits, name) : floatRange(limits);
      const ends = range.map((end) => quoteNumber(Number(end)));
      return callOf(`${draw}.${isInteger ? "integer" : "number"}`, ends);
    }
    case "text":
      return drawText(scope, hints);
  }
}

const defaultMaxLength = 24;

function drawText(scope: MockScope, { known, limits, owner }: ValueHints): Doc {
  const { draw } = scope;
  const isSpelled = limits.some(
    ({ format, pattern }) => format !== undefined || pattern !== undefined,
  );
  const texts = [
    ...(known ?? []).filter(textTest(limits)),
    ...(isSpelled && known === null ? findSamples(limits) : []),
  ];
  if (texts.length > 0) {
    return callOf(`${draw}.pick`, [hoist(scope, owner, texts)]);
  }
  const { max, min } = lengthsOf(limits);
  const lengths = countRange(min, max, defaultMaxLength);
  return callOf(`${draw}.text`, lengths.map(quoteNumber));
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
