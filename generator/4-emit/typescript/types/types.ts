import type { Contract, EnumMember } from "../../../ir/contract.js";
import { methodsOf } from "../../../ir/methods-of.js";
import type { WireOptions } from "../../../values/wire-options.js";
import { findUnsupportedUnions } from "../../templates/find-unsupported-unions.js";
import { scalarForm } from "../plan/scalars.js";
import { membersOf } from "../plan/values.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type {
  AliasPlan,
  EnumPlan,
  FieldPlan,
  MethodPlan,
  ObjectPlan,
  Plan,
  StructPlan,
  TypePlan,
  UnionPlan,
} from "../plan/plan.js";
import {
  declaredType,
  limitedTypeOf,
  propertyOf,
  variantTypeOf,
} from "../plan/type-text.js";
import { buildAlias, buildInferred, buildInterface } from "../text/build.js";
import { formsOf } from "../text/forms.js";
import { printStructure } from "../text/print-structure.js";
import type { Structure } from "../text/structures.js";
import { docLines, printDocs } from "../text/docs.js";
import { lines, typeText, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import {
  entryOf,
  genericOf,
  intersectionOf,
  withKey,
  linesObjectOf,
  linesTypeOf,
  typeLiteralOf,
  unionOf,
} from "../text/shapes.js";

/** Writes `types.ts`: every struct, enum and alias, request and response. */
export const typesEmitter = createUnitEmitter({
  name: "types",
  summary: "Types for all messages, structs, and enums.",
  guide: "ridl.md#types-and-the-wire",
  findFaults: (contract: Contract, options: WireOptions) =>
    findUnsupportedUnions(
      contract,
      "TypeScript",
      ({ scalar, isSafe }) =>
        scalarForm(scalar, isSafe, options).type === "bigint",
    ),
  emitUnit(plan, unit) {
    const scope = createScope(plan, unit, "types");
    const statements = [
      ...unit.types.flatMap((type) => declarationOf(scope, type)),
      ...methodsOf(unit.host?.services ?? []).flatMap((method) =>
        messagesOf(scope, method),
      ),
    ];
    return printFile(scope.imports, statements);
  },
});

/** Prints a single declared type as in `types.ts`. */
export function printType(plan: Plan, type: TypePlan): string {
  const scope = createScope(plan, type.unit, "types");
  return printAll(plan, declarationOf(scope, type));
}

/** Prints a single field as in an interface: `page?: Page | null;`. */
export function printField(plan: Plan, field: FieldPlan): string {
  const { imports } = createScope(plan, plan.root, "types");
  const member = propertyOf(imports, field, []);
  const lines = printAll(plan, [buildInterface([], "Field", [member])]);
  return lines.split("\n").slice(1, -1).join("\n").replace(/^ {2}/gm, "");
}

function printAll({ options }: Plan, structures: readonly Structure[]): string {
  const [form] = formsOf(options);
  return structures
    .flatMap((each) => (form && printStructure(each, form)) ?? [])
    .join("\n\n");
}

function declarationOf(scope: FileScope, type: TypePlan): readonly Structure[] {
  switch (type.kind) {
    case "struct":
      return [objectType(scope, docLines(type.struct.docs), type)];
    case "enum":
      return enumOf(type);
    case "alias":
      return [aliasOf(scope, type)];
    case "union":
      return [unionType(scope, type)];
  }
}

/** Builds the messages that list arguments. All others are structs. */
function messagesOf(
  scope: FileScope,
  { method, request, response }: MethodPlan,
): readonly Structure[] {
  const about = quoteComment([`${method.service}.${method.name}`]).join("");
  const { isStream } = response.message;
  const titles = [
    [request, `Request of \`${about}\`.`],
    [
      response,
      isStream
        ? `One item of the stream \`${about}\`.`
        : `Response of \`${about}\`.`,
    ],
  ] as const;
  return titles.flatMap(([{ message, object }, title]) =>
    message.struct === null ? [objectType(scope, [title], object)] : [],
  );
}

function objectType(
  { imports }: FileScope,
  docs: readonly string[],
  { fields, name }: ObjectPlan,
): Structure {
  // An empty interface would accept nearly any value.
  if (fields.length === 0) {
    return buildAlias(docs, name, genericOf("Record", ["string", "never"]));
  }
  return buildInterface(
    docs,
    name,
    fields.map((field) => propertyOf(imports, field, fieldDocs(field))),
  );
}

function fieldDocs({ field }: FieldPlan): readonly string[] {
  const { docs, deprecated } = field;
  return docLines(docs, [], { deprecated });
}

/** Builds a constant with the values, and their union under the same name. */
function enumOf({ declaration, name }: EnumPlan): Structure[] {
  const { docs, members } = declaration;
  const text = docLines(docs);
  const values = linesObjectOf(members.map(valueOf));
  const type = `(typeof ${name})[keyof typeof ${name}]`;
  return [
    buildInferred({
      docs: text,
      isExported: true,
      name,
      value: [values, typeText(" as const")],
      declared: linesTypeOf(members.map(declaredValueOf)),
    }),
    buildAlias(text, name, type),
  ];
}

/** Prints `Pending: "PENDING"`. */
function valueOf(member: EnumMember): Doc {
  const value = quoteString(member.jsonValue);
  const entry = withKey(member.name, (key) => entryOf(key, value));
  return withDocs(member, entry);
}

/** Prints `readonly Pending: "PENDING"`. */
function declaredValueOf(member: EnumMember): Doc {
  const { name, jsonValue } = member;
  const key = quoteProperty(name);
  return withDocs(member, `readonly ${key}: ${quoteString(jsonValue)}`);
}

function withDocs({ docs }: EnumMember, entry: Doc): Doc {
  const text = printDocs(docLines(docs)).trimEnd();
  return text === "" ? entry : lines([...text.split("\n"), entry]);
}

/** Builds the union of the variants, and of unknown ones if it is open. */
function unionType({ imports }: FileScope, type: UnionPlan): Structure {
  const { name, union, variants } = type;
  const { docs, isOpen, tag } = union;
  const marks = new Set(
    variants.flatMap((each) => each.marks.map((mark) => mark.name)),
  );
  const members = variants.map(({ value }) => {
    const variant = variantTypeOf(imports, type, value);
    const others =
      value.kind === "struct" ? othersOf(imports, value.type, marks) : [];
    return others.length === 0
      ? variant
      : ["(", intersectionOf([variant, typeLiteralOf(others)]), ")"];
  });
  if (isOpen && tag !== null) {
    const unknown = imports.runtimeType("unions", "UnknownVariant");
    const tags = variants.flatMap((each) => each.tags);
    const isText = tags.every((value) => typeof value === "string");
    const kind = isText ? [] : ["number"];
    members.push(genericOf(unknown, [quoteString(tag), ...kind]));
  }
  const hasNull = variants.some(({ kinds }) => kinds.has("null"));
  if (union.isNullable && !hasNull) members.push("null");
  return buildAlias(docLines(docs), name, unionOf(members));
}

/**
 * Returns the members that show that a value is of another variant. Without them,
 * TypeScript accepts a value with the members of two variants, and no check of
 * such a member.
 */
function othersOf(
  { hasExplicitUndefined }: FileScope["imports"],
  struct: StructPlan,
  marks: ReadonlySet<string>,
): readonly Doc[] {
  const own = new Set(membersOf(struct).map(({ field }) => field.jsonName));
  const absent = hasExplicitUndefined ? "undefined" : "never";
  return Array.from(marks)
    .filter((name) => !own.has(name))
    .map((name) => `${quoteProperty(name)}?: ${absent}`);
}

function aliasOf({ imports, plan }: FileScope, type: AliasPlan): Structure {
  const { alias, name } = type;
  const docs = docLines(alias.docs);
  const known = alias.known === null ? undefined : plan.types.get(alias.known);
  if (known !== undefined && type.value.limits.enum === undefined) {
    const members = [declaredType(imports, known), "(string & {})"];
    const all = type.value.isNullable ? [...members, "null"] : members;
    return buildAlias(docs, name, unionOf(all));
  }
  const text = limitedTypeOf(imports, type);
  const hasNull =
    (type.type.isNullable && text !== "number") ||
    text === "unknown" ||
    text === "null";
  return buildAlias(
    docs,
    name,
    type.value.isNullable && !hasNull ? unionOf([text, "null"]) : text,
  );
}
