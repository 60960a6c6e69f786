import type {
  Alias,
  Enum,
  EnumMember,
  Field,
  Message,
  Method,
  Struct,
  TypeDeclaration,
} from "../../../ir/contract.js";
import { createIndex } from "../../../ir/resolve.js";
import type { Emitter } from "../../emitter.js";
import { buildAlias, buildInterface } from "../text/build.js";
import { docLines, printDocs } from "../text/docs.js";
import { lines, typeText, type Doc } from "../text/format.js";
import { createLayout, type Unit } from "../names/layout.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import {
  assignmentOf,
  entryOf,
  genericOf,
  keyedOf,
  linesObjectOf,
  linesTypeOf,
  unionAliasOf,
} from "../text/shapes.js";
import { declare, type Declared } from "../text/declare.js";
import {
  createTypeContext,
  namedType,
  propertyOf,
  scalarType,
  typeOf,
  type TypeContext,
} from "./type-text.js";

/** `types.ts`: every struct, enum and alias, every request and response. */
export const typesEmitter: Emitter = {
  name: "types",
  isByHost: true,
  emit(contract, options) {
    const layout = createLayout(contract, options);
    const index = createIndex(contract);
    return layout.units.flatMap((unit) => {
      const context = createTypeContext(layout, unit, "types", index);
      const statements = [
        ...unit.types.flatMap((type) => declarationOf(context, type)),
        ...methodsOf(unit).flatMap((method) => messagesOf(context, method)),
      ];
      return printFile(context.imports, statements);
    });
  },
};

/** The methods whose messages are emitted in a unit. */
export function methodsOf(unit: Unit): readonly Method[] {
  return unit.host?.services.flatMap((service) => service.methods) ?? [];
}

function declarationOf(
  context: TypeContext,
  type: TypeDeclaration,
): readonly Declared[] {
  switch (type.kind) {
    case "struct":
      return [structOf(context, type)];
    case "enum":
      return enumOf(context, type);
    case "alias":
      return [aliasOf(context, type)];
  }
}

function structOf(context: TypeContext, struct: Struct): Declared {
  const docs = docLines(struct.docs);
  const name = context.layout.names.type(struct.name);
  return objectType(context, docs, name, struct.fields);
}

/** Requests and responses that list arguments; the others are structs. */
function messagesOf(context: TypeContext, method: Method): readonly Declared[] {
  const names = context.layout.names.method(method);
  const about = quoteComment([`${method.service}.${method.name}`]).join("");
  const build = (message: Message, name: string, title: string) =>
    message.struct === null
      ? [objectType(context, [title], name, message.fields)]
      : [];
  return [
    ...build(method.request, names.request, `Request of \`${about}\`.`),
    ...build(
      method.response,
      names.response,
      method.response.isStream
        ? `One item of the stream \`${about}\`.`
        : `Response of \`${about}\`.`,
    ),
  ];
}

function objectType(
  context: TypeContext,
  docs: readonly string[],
  name: string,
  fields: readonly Field[],
): Declared {
  // An empty interface would accept any value at all.
  if (fields.length === 0) {
    const none = genericOf("Record", ["string", "never"]);
    const code = [assignmentOf(`export type ${name}`, none), ";"];
    return buildAlias(context.imports, docs, code);
  }
  return buildInterface(
    context.imports,
    docs,
    name,
    fields.map((field) => ({
      docs: fieldDocs(field),
      code: propertyOf(context, field),
    })),
  );
}

function fieldDocs(field: Field): readonly string[] {
  const { docs, deprecated } = field;
  return docLines(docs, [], { deprecated });
}

/** A constant with the values, and the union of them under the same name. */
function enumOf(
  { imports, layout }: TypeContext,
  { name, docs, members }: Enum,
): Declared[] {
  const local = layout.names.type(name);
  const text = docLines(docs);
  const values = linesObjectOf(members.map(valueOf));
  const type = `(typeof ${local})[keyof typeof ${local}]`;
  return [
    declare(imports, {
      kind: "constant",
      docs: text,
      isExported: true,
      name: local,
      type: null,
      declared: () => linesTypeOf(members.map(declaredValueOf)),
      assign: (head) => [head, " = ", values, typeText(" as const")],
    }),
    buildAlias(imports, text, [
      assignmentOf(`export type ${local}`, type),
      ";",
    ]),
  ];
}

/** `Pending: "PENDING"`. */
function valueOf(member: EnumMember): Doc {
  const value = quoteString(member.jsonValue);
  const entry = keyedOf(member.name, (key) => entryOf(key, value));
  return withDocs(member, entry);
}

/** `readonly Pending: "PENDING"`. */
function declaredValueOf(member: EnumMember): Doc {
  const { name, jsonValue } = member;
  const key = quoteProperty(name);
  return withDocs(member, `readonly ${key}: ${quoteString(jsonValue)}`);
}

function withDocs({ docs }: EnumMember, entry: Doc): Doc {
  const text = printDocs(docLines(docs)).trimEnd();
  return text === "" ? entry : lines([...text.split("\n"), entry]);
}

function aliasOf(context: TypeContext, alias: Alias): Declared {
  const { imports, index, layout } = context;
  const docs = docLines(alias.docs);
  const prefix = `export type ${layout.names.type(alias.name)}`;
  if (alias.known !== null) {
    const members = [namedType(context, alias.known), "(string & {})"];
    return buildAlias(imports, docs, [unionAliasOf(prefix, members), ";"]);
  }
  const isSafe = index.isSafeInteger({ kind: "reference", name: alias.name });
  const type =
    isSafe && !index.isSafeInteger(alias.type)
      ? scalarType(context, "uint64", true)
      : typeOf(context, alias.type);
  return buildAlias(imports, docs, [assignmentOf(prefix, type), ";"]);
}
