import type {
  Annotation,
  Method,
  ServiceDeclaration,
  StructDeclaration,
  TypeExpression,
  Word,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findMetadata } from "../notation/metadata.js";
import type { Nodes, TypeOwner, TypeSyntax } from "./program.js";

type Mutable<T> = {
  -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[]
    ? Item[]
    : T[Key];
};

/** Lists the nodes of all documents, in document order. */
export function collectNodes(documents: readonly LoadedDocument[]): Nodes {
  const nodes: Mutable<Nodes> = {
    headers: [],
    aliases: [],
    enums: [],
    structs: [],
    errors: [],
    services: [],
    members: [],
    fields: [],
    methods: [],
    messages: [],
    arguments: [],
    metadata: [],
    annotationLists: [],
    typeExpressions: [],
  };
  for (const document of documents) collectDocument(document, nodes);
  return nodes;
}

function collectDocument(
  document: LoadedDocument,
  nodes: Mutable<Nodes>,
): void {
  for (const syntax of document.syntax.items) {
    if ("annotations" in syntax) collectAnnotations(syntax, document, nodes);
    switch (syntax.kind) {
      case "import":
        break;
      case "header":
        nodes.headers.push({ syntax, document });
        break;
      case "error":
        nodes.errors.push({ syntax, document });
        break;
      case "enum":
        nodes.enums.push({ syntax, document });
        for (const member of syntax.members) {
          nodes.members.push({ syntax: member, document, owner: syntax });
        }
        break;
      case "alias":
        nodes.aliases.push({ syntax, document });
        collectTyped(syntax, document, nodes);
        break;
      case "struct":
        collectStruct(syntax, document, nodes);
        break;
      case "service":
        collectService(syntax, document, nodes);
        break;
    }
  }
}

function collectAnnotations(
  { annotations }: { readonly annotations: readonly Annotation[] },
  document: LoadedDocument,
  nodes: Mutable<Nodes>,
): void {
  if (annotations.length === 0) return;
  nodes.annotationLists.push({ syntax: annotations, document });
}

function collectStruct(
  struct: StructDeclaration,
  document: LoadedDocument,
  nodes: Mutable<Nodes>,
): void {
  nodes.structs.push({ syntax: struct, document });
  for (const field of struct.fields) {
    nodes.fields.push({ syntax: field, document, owner: struct });
    collectAnnotations(field, document, nodes);
    collectTyped(field, document, nodes);
  }
}

function collectService(
  service: ServiceDeclaration,
  document: LoadedDocument,
  nodes: Mutable<Nodes>,
): void {
  nodes.services.push({ syntax: service, document });
  for (const method of service.methods) {
    nodes.methods.push({ syntax: method, document, owner: service });
    collectAnnotations(method, document, nodes);
    for (const message of [method.input, method.output]) {
      nodes.messages.push({ syntax: message, document, owner: method });
      for (const argument of message.arguments) {
        nodes.arguments.push({ syntax: argument, document, owner: message });
        collectTyped(argument, document, nodes);
      }
    }
  }
}

function collectTyped(
  owner: TypeOwner,
  document: LoadedDocument,
  nodes: Mutable<Nodes>,
): void {
  if (owner.type.kind === "name") {
    nodes.typeExpressions.push({ syntax: owner.type, document });
  } else {
    for (const syntax of nestedTypes(owner.type)) {
      nodes.typeExpressions.push({ syntax, document });
    }
  }
  if (owner.kind === "argument") return;
  for (const syntax of owner.metadata) {
    nodes.metadata.push({ syntax, document, owner });
  }
}

/** A type and all types within it, outermost first. */
export function nestedTypes(type: TypeExpression): readonly TypeExpression[] {
  const found: TypeExpression[] = [type];
  // The list grows while it is read: no recursion, however deep the nesting.
  for (const each of found) {
    switch (each.kind) {
      case "name":
        break;
      case "list":
        found.push(each.element);
        break;
      case "map":
        found.push(each.key, each.value);
    }
  }
  return found;
}

/** The names that a type mentions, core types included. */
export function namesIn(type: TypeExpression): readonly Word[] {
  // Most types are a name.
  if (type.kind === "name") return [type.name];
  return nestedTypes(type).flatMap((each) =>
    each.kind === "name" ? [each.name] : [],
  );
}

/** The names of types that a declaration or a method mentions. */
export function namesUsedBy(syntax: TypeSyntax | Method): readonly Word[] {
  switch (syntax.kind) {
    case "alias": {
      const known = findMetadata(syntax, "known")?.value;
      return [...namesIn(syntax.type), ...(known ? [known] : [])];
    }
    case "enum":
      return [];
    case "struct":
      return syntax.fields.flatMap(({ type }) => namesIn(type));
    case "method":
      return [syntax.input, syntax.output].flatMap((message) => [
        ...message.arguments.flatMap(({ type }) => namesIn(type)),
        ...(message.succinct ? [message.succinct] : []),
      ]);
  }
}
