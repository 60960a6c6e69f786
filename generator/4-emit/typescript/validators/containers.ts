import { pascalCase } from "../../names/casing.js";
import type {
  AliasPlan,
  LimitedValue,
  ListValue,
  MapValue,
  Value,
} from "../plan/plan.js";
import { buildConstant } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import { entryOf, pureCallWithLimits } from "../text/shapes.js";
import { exported, hoist, type ValidatorContext } from "./context.js";
import { heldKeyOf } from "./item-keys.js";
import { itemValue, otherThanNull, predicateOf } from "./predicates.js";

type Container = ListValue | MapValue;

/**
 * Returns the name of the check of a struct, list or map, or of text that can be
 * an integer in requests. Returns null for other types. A check that is written
 * for this value alone is named after `owner`.
 */
export function checkNameOf(
  context: ValidatorContext,
  subject: LimitedValue,
  owner: string,
): string | null {
  const { own, type, value } = subject;
  switch (value.kind) {
    case "scalar":
      return value.resolved.acceptsInteger
        ? integerTextCheck(context, subject, owner)
        : null;
    case "bytes":
    case "enum":
      return null;
    case "struct":
    case "union":
      return exported(context, "check", value.type);
    case "list":
    case "map": {
      const { declared } = type;
      if (declared === null || Object.keys(own).length > 0)
        return hoistedCheck(context, value, owner);
      const alias = context.plan.types.get(declared.schemaName);
      if (alias?.kind === "alias") writeAliasCheck(context, alias);
      return exported(context, "check", declared);
    }
  }
}

/**
 * Writes the check of text that can be an integer in requests, but not in
 * responses.
 */
function integerTextCheck(
  context: ValidatorContext,
  subject: LimitedValue,
  owner: string,
): string | null {
  const predicate = predicateOf(context, subject, owner);
  if (predicate === null) return null;
  const maker = context.imports.runtime("codegen/checks", "textOrInteger");
  const args = [predicate.callee(), quoteString(predicate.title)];
  const check = pureCallWithLimits(maker, args, []);
  const callee = predicate.callee().replace(/^is/u, "");
  return hoist(context, context.containers, `check${callee}Text`, check);
}

/**
 * Writes a check as a constant that equal values in the file share, and returns
 * its name.
 */
function hoistedCheck(
  context: ValidatorContext,
  value: Container,
  owner: string,
): string {
  const limits = limitEntries(context, value);
  const check = containerCheck(context, value, owner, limits);
  const isOwn = limits.length > 0;
  const name = isOwn ? owner : contentName(value);
  return hoist(context, context.containers, `check${name}`, check);
}

/**
 * Writes `checkX` for an alias of a list or map, but only in the alias's unit.
 */
export function writeAliasCheck(
  context: ValidatorContext,
  { name, schemaName, unit, value }: AliasPlan,
): void {
  const { containers, imports, written } = context;
  if (unit !== context.unit || written.has(schemaName)) return;
  written.add(schemaName);
  if (value.kind !== "list" && value.kind !== "map") return;
  const check = containerCheck(context, value, schemaName);
  const checkType = imports.runtimeType("validation", "Check");
  containers.push(
    buildConstant(
      [
        `Reports each place where \`value\` is not a valid \`${name}\`${otherThanNull(value)}.`,
      ],
      `check${name}`,
      checkType,
      check,
    ),
  );
}

/** Prints a check such as `listOf(checkOrder, { maxItems: 100 })`. */
function containerCheck(
  context: ValidatorContext,
  container: Container,
  owner: string,
  limits = limitEntries(context, container),
): Doc {
  const { imports } = context;
  const isList = container.kind === "list";
  const { held } = container;
  const inner = itemValue(held);
  const innerOwner = `${owner}${isList ? "Item" : "Value"}`;
  const entries = [
    ...limits,
    ...(isList ? [] : keyEntries(context, container.key, owner)),
    ...(held.nullAs === null
      ? []
      : [`nullAs: ${imports.runtime("codegen/checks", held.nullAs)}`]),
  ];
  const check = checkNameOf(context, inner, innerOwner);
  if (check !== null) {
    const maker = imports.runtime(
      "codegen/checks",
      isList ? "listOf" : "mapOf",
    );
    const each = held.isNullable ? wrapped(context, "orNull", check) : check;
    return pureCallWithLimits(maker, [each], entries);
  }
  const predicate = predicateOf(context, inner, innerOwner);
  const maker = imports.runtime(
    "codegen/checks",
    isList ? "listOfValues" : "mapOfValues",
  );
  if (predicate !== null && held.isNullable) {
    const each = wrapped(context, "isNullOr", predicate.callee());
    const title = quoteString(`${predicate.title} or null`);
    return pureCallWithLimits(maker, [each, title], entries);
  }
  const args = [
    predicate?.callee() ?? "() => true",
    quoteString(predicate?.title ?? "a value"),
  ];
  return pureCallWithLimits(maker, args, entries);
}

/** Prints the check or predicate of an item that can also be null. */
function wrapped(
  { imports }: ValidatorContext,
  maker: "orNull" | "isNullOr",
  inner: string,
): string {
  const callee = imports.runtime("codegen/checks", maker);
  return `/* @__PURE__ */ ${callee}(${inner})`;
}

/** Prints limits by their names in JSON Schema. */
function limitEntries(
  context: ValidatorContext,
  container: Container,
): readonly Doc[] {
  const { held, kind, limits } = container;
  const entries: Doc[] = [];
  const add = (name: string, limit?: number): void => {
    if (limit !== undefined) entries.push(`${name}: ${limit}`);
  };
  if (kind === "list") {
    add("minItems", limits.minItems);
    add("maxItems", limits.maxItems);
    if (limits.uniqueItems === true)
      entries.push(["uniqueItems: ", heldKeyOf(context, held) ?? "true"]);
  } else {
    add("minProperties", limits.minProperties);
    add("maxProperties", limits.maxProperties);
  }
  return entries;
}

/** Prints the check of a map's keys, or nothing if they are plain text. */
function keyEntries(
  context: ValidatorContext,
  key: Value,
  owner: string,
): readonly Doc[] {
  const isText = key.kind !== "scalar" || key.form.wireType === "string";
  if (isText && key.kind === "scalar" && key.declared === null) return [];
  const predicate = predicateOf(context, itemValue(key), `${owner}Key`);
  if (predicate === null) return [];
  const callee = predicate.callee();
  const isKey = isText
    ? callee
    : `/* @__PURE__ */ ${context.imports.runtime("validation", "keyOf")}(${callee})`;
  return [`isKey: ${isKey}`, entryOf("keyTitle", quoteString(predicate.title))];
}

/** Names a container without limits after its contents: `OrderList`. */
function contentName(value: Value): string {
  switch (value.kind) {
    case "scalar":
      return pascalCase(value.name);
    case "enum":
    case "struct":
    case "union":
      return value.type.name;
    case "bytes":
      return `${pascalCase(value.name)}List`;
    case "list":
      return `${plainName(value.held)}List`;
    case "map":
      return `${plainName(value.held)}Map`;
  }
}

function plainName(value: Value): string {
  return value.declared?.name ?? contentName(value);
}
