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
import { buildAlias, buildInferred, buildInterface } from "../text/build.js";
import { docLines, originNotes, printDocs } from "../text/docs.js";
import { lines, typeText, type Doc } from "../text/format.js";
import { createLayout, type Unit } from "../names/layout.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import {
  entryOf,
  genericOf,
  keyedOf,
  linesObjectOf,
  linesTypeOf,
  unionOf,
} from "../text/shapes.js";
import type { Declared } from "../text/declare.js";
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
  const docs = docLines(struct.docs, [], { notes: originNotes(struct.docs) });
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
    return buildAlias(context.imports, docs, name, none);
  }
  return buildInterface(
    context.imports,
    docs,
    name,
    fields.map((field) => propertyOf(context, field, fieldDocs(field))),
  );
}

function fieldDocs(field: Field): readonly string[] {
  const { docs, deprecated } = field;
  return docLines(docs, [], { deprecated, notes: originNotes(docs) });
}

/** A constant with the values, and the union of them under the same name. */
function enumOf(
  { imports, layout }: TypeContext,
  { name, docs, members }: Enum,
): Declared[] {
  const local = layout.names.type(name);
  const text = docLines(docs, [], { notes: originNotes(docs) });
  const values = linesObjectOf(members.map(valueOf));
  const type = `(typeof ${local})[keyof typeof ${local}]`;
  return [
    buildInferred(imports, {
      docs: text,
      isExported: true,
      name: local,
      value: [values, typeText(" as const")],
      declared: linesTypeOf(members.map(declaredValueOf)),
    }),
    buildAlias(imports, text, local, type),
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
  const text = printDocs(
    docLines(docs, [], { notes: originNotes(docs) }),
  ).trimEnd();
  return text === "" ? entry : lines([...text.split("\n"), entry]);
}

function aliasOf(context: TypeContext, alias: Alias): Declared {
  const { imports, index, layout } = context;
  const docs = docLines(alias.docs, [], { notes: originNotes(alias.docs) });
  const name = layout.names.type(alias.name);
  if (alias.known !== null) {
    const members = [namedType(context, alias.known), "(string & {})"];
    return buildAlias(imports, docs, name, unionOf(members));
  }
  const isSafe = index.isSafeInteger({ kind: "reference", name: alias.name });
  const type =
    isSafe && !index.isSafeInteger(alias.type)
      ? scalarType(context, "uint64", true)
      : typeOf(context, alias.type);
  return buildAlias(imports, docs, name, type);
}
