import { isBytes } from "../../../ir/bytes.js";
import type {
  Alias,
  Constraints,
  Field,
  TypeReference,
} from "../../../ir/contract.js";
import { buildConstant } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { pascalCase } from "../names/names.js";
import { quoteString } from "../text/quote.js";
import { callWithLimits, entryOf } from "../text/shapes.js";
import { hoist, type ValidatorContext } from "./validator-context.js";
import { exported, predicateOf } from "./validator-scalars.js";

/** A list or a map. */
type Container = Extract<TypeReference, { readonly kind: "list" | "map" }>;

/**
 * Name of the check of a struct, list or map; null for everything else, which
 * is judged by a predicate.
 *
 * Input: a field or type; the name that a check for it alone gets.
 */
export function checkNameOf(
  context: ValidatorContext,
  subject: Field | TypeReference,
  owner: string,
): string | null {
  const { index } = context;
  const reference = subject.kind === "field" ? subject.type : subject;
  const resolved = index.resolve(reference);
  if (resolved.kind === "scalar" || isBytes(index, resolved)) return null;
  if (resolved.kind === "reference") {
    const type = index.type(resolved.name);
    return type.kind === "struct"
      ? exported(context, "check", type.name)
      : null;
  }
  const hasOwn =
    subject.kind === "field" && Object.keys(subject.constraints).length > 0;
  if (reference.kind === "reference" && !hasOwn) {
    const alias = index.type(reference.name);
    if (alias.kind === "alias") writeAliasCheck(context, alias);
    return exported(context, "check", reference.name);
  }
  const limits = index.constraintsOf(subject);
  const isLimited = limitEntries(resolved, limits).length > 0;
  const { containers, hoisted } = context;
  if (isLimited) {
    const check = containerCheck(context, resolved, limits, owner);
    return hoist(context, containers, `check${owner}`, check);
  }
  // Without limits it is the same wherever the same is held.
  const key = JSON.stringify(resolved);
  const known = hoisted.get(key);
  if (known !== undefined) return known;
  const check = containerCheck(context, resolved, limits, owner);
  const proposed = `check${plainName(context, resolved)}`;
  const name = hoist(context, containers, proposed, check);
  hoisted.set(key, name);
  return name;
}

/** `checkX` of an alias of a list or map, once in the file of its unit. */
export function writeAliasCheck(context: ValidatorContext, alias: Alias): void {
  const { index, layout, unit, written } = context;
  if (layout.unitOfType(alias.name) !== unit || written.has(alias.name)) return;
  written.add(alias.name);
  const reference: TypeReference = { kind: "reference", name: alias.name };
  const resolved = index.resolve(reference);
  if (resolved.kind !== "list" && resolved.kind !== "map") return;
  const limits = index.constraintsOf(reference);
  const type = layout.names.type(alias.name);
  const check = containerCheck(context, resolved, limits, alias.name);
  const checkType = context.imports.runtimeType("validation", "Check");
  context.containers.push(
    buildConstant(
      context.imports,
      [`Reports where \`value\` does not fit \`${type}\`.`],
      `check${type}`,
      checkType,
      check,
    ),
  );
}

/** `listOf(checkOrder, { maxItems: 100 })` and the like. */
function containerCheck(
  context: ValidatorContext,
  container: Container,
  limits: Constraints,
  owner: string,
): Doc {
  const { imports } = context;
  const isList = container.kind === "list";
  const inner = isList ? container.element : container.value;
  const innerOwner = `${owner}${isList ? "Item" : "Value"}`;
  const entries = [
    ...limitEntries(container, limits),
    ...(isList ? [] : keyEntries(context, container.key, owner)),
  ];
  const check = checkNameOf(context, inner, innerOwner);
  if (check !== null) {
    const maker = imports.runtime("validation", isList ? "listOf" : "mapOf");
    return callWithLimits(maker, [check], entries);
  }
  const predicate = predicateOf(context, inner, innerOwner);
  const maker = imports.runtime(
    "validation",
    isList ? "listOfValues" : "mapOfValues",
  );
  const args = [
    predicate?.callee() ?? "() => true",
    quoteString(predicate?.title ?? "a value"),
  ];
  return callWithLimits(maker, args, entries);
}

function limitEntries(
  container: Container,
  limits: Constraints,
): readonly string[] {
  const { minItems, maxItems, uniqueItems, minProperties, maxProperties } =
    limits;
  const entry = (name: string, value: number | undefined): string[] =>
    value === undefined ? [] : [`${name}: ${value}`];
  return container.kind === "list"
    ? [
        ...entry("minItems", minItems),
        ...entry("maxItems", maxItems),
        ...(uniqueItems === true ? ["uniqueItems: true"] : []),
      ]
    : [
        ...entry("minProperties", minProperties),
        ...entry("maxProperties", maxProperties),
      ];
}

/** What the keys of a map must be; nothing for plain text. */
function keyEntries(
  context: ValidatorContext,
  key: TypeReference,
  owner: string,
): readonly Doc[] {
  const { index, imports } = context;
  const resolved = index.resolve(key);
  const isPlain = key.kind === "scalar" && key.name === "string";
  const predicate = isPlain ? null : predicateOf(context, key, `${owner}Key`);
  if (predicate === null) return [];
  const isText = resolved.kind !== "scalar" || resolved.name === "string";
  const callee = predicate.callee();
  const isKey = isText
    ? callee
    : `${imports.runtime("validation", "keyOf")}(${callee})`;
  return [`isKey: ${isKey}`, entryOf("keyTitle", quoteString(predicate.title))];
}

/** Name of a container without limits, after what it holds: `OrderList`. */
function plainName(context: ValidatorContext, type: TypeReference): string {
  switch (type.kind) {
    case "scalar":
      return pascalCase(type.name);
    case "reference":
      return context.layout.names.type(type.name);
    case "list":
      return `${plainName(context, type.element)}List`;
    case "map":
      return `${plainName(context, type.value)}Map`;
  }
}
