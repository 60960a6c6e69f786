import type {
  AliasDeclaration,
  Field,
  Message,
  Method,
  TypeExpression,
  Word,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { rememberEach } from "../../ir/remember.js";
import { isScalarName } from "../../ir/scalars.js";
import { findMetadata, variantsOf } from "../notation/metadata.js";
import type { Nodes, NodeTypes, TypeOwner, TypeSyntax } from "./program.js";

type NodeLists = { [Kind in keyof NodeTypes]: NodeTypes[Kind][] };

/** Kinds of which each document has many nodes. */
type DetailKind =
  | "arguments"
  | "fields"
  | "members"
  | "messages"
  | "metadata"
  | "typeExpressions";

type Details = Pick<Nodes, DetailKind>;

/** Lists the nodes of all documents, in document order. */
export function collectNodes(documents: readonly LoadedDocument[]): Nodes {
  const parts = documents.map(nodesOf);
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return withDetails(
    {
      headers: join(parts.map((each) => each.headers)),
      aliases: join(parts.map((each) => each.aliases)),
      enums: join(parts.map((each) => each.enums)),
      structs: join(parts.map((each) => each.structs)),
      errors: join(parts.map((each) => each.errors)),
      services: join(parts.map((each) => each.services)),
      methods: join(parts.map((each) => each.methods)),
    },
    () => ({
      members: join(parts.map((each) => each.members)),
      fields: join(parts.map((each) => each.fields)),
      messages: join(parts.map((each) => each.messages)),
      arguments: join(parts.map((each) => each.arguments)),
      metadata: join(parts.map((each) => each.metadata)),
      typeExpressions: join(parts.map((each) => each.typeExpressions)),
    }),
  );
}

/**
 * Adds the longest lists when they are first needed, because few rules use them
 * after an edit.
 */
function withDetails(
  nodes: Omit<Nodes, DetailKind>,
  collect: () => Details,
): Nodes {
  let known: Details | null = null;
  const details = (): Details => (known ??= collect());
  return {
    ...nodes,
    get members() {
      return details().members;
    },
    get fields() {
      return details().fields;
    },
    get messages() {
      return details().messages;
    },
    get arguments() {
      return details().arguments;
    },
    get metadata() {
      return details().metadata;
    },
    get typeExpressions() {
      return details().typeExpressions;
    },
  };
}

/** Joins lists. `flatMap` is many times slower. */
function join<Node>(lists: readonly (readonly Node[])[]): readonly Node[] {
  const none: readonly Node[] = [];
  return none.concat(...lists);
}

/**
 * Lists the nodes of one document. The lists are cached, because most documents
 * stay the same after a change.
 */
const nodesOf = rememberEach((document: LoadedDocument): Nodes => {
  const nodes: Omit<NodeLists, DetailKind> = {
    headers: [],
    aliases: [],
    enums: [],
    structs: [],
    errors: [],
    services: [],
    methods: [],
  };
  for (const syntax of document.syntax.items) {
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
        break;
      case "alias":
        nodes.aliases.push({ syntax, document });
        break;
      case "struct":
        nodes.structs.push({ syntax, document });
        break;
      case "service":
        nodes.services.push({ syntax, document });
        for (const method of syntax.methods) {
          nodes.methods.push({ syntax: method, document, owner: syntax });
        }
    }
  }
  return withDetails(nodes, () => collectDetails(document));
});

function collectDetails(document: LoadedDocument): Details {
  const nodes: Pick<NodeLists, DetailKind> = {
    members: [],
    fields: [],
    messages: [],
    arguments: [],
    metadata: [],
    typeExpressions: [],
  };
  for (const syntax of document.syntax.items) {
    switch (syntax.kind) {
      case "error":
      case "header":
      case "import":
        break;
      case "enum":
        for (const member of syntax.members) {
          nodes.members.push({ syntax: member, document, owner: syntax });
        }
        break;
      case "alias":
        collectTyped(syntax, document, nodes);
        break;
      case "struct":
        for (const field of syntax.fields) {
          nodes.fields.push({ syntax: field, document, owner: syntax });
          collectTyped(field, document, nodes);
        }
        break;
      case "service":
        for (const method of syntax.methods) {
          collectMessage(method.input, document, method, nodes);
          collectMessage(method.output, document, method, nodes);
        }
    }
  }
  return nodes;
}

function collectMessage(
  syntax: Message,
  document: LoadedDocument,
  owner: Method,
  nodes: Pick<NodeLists, DetailKind>,
): void {
  nodes.messages.push({ syntax, document, owner });
  for (const argument of syntax.arguments) {
    nodes.arguments.push({ syntax: argument, document, owner: syntax });
    collectTyped(argument, document, nodes);
  }
}

function collectTyped(
  owner: TypeOwner,
  document: LoadedDocument,
  nodes: Pick<NodeLists, DetailKind>,
): void {
  for (const syntax of nestedTypes(owner.type)) {
    nodes.typeExpressions.push({ syntax, document });
  }
  for (const syntax of owner.metadata) {
    nodes.metadata.push({ syntax, document, owner });
    for (const { type } of syntax.variants ?? []) {
      for (const nested of nestedTypes(type))
        nodes.typeExpressions.push({ syntax: nested, document });
    }
  }
}

/** Returns a type and all types inside it, outermost first. */
function nestedTypes(type: TypeExpression): readonly TypeExpression[] {
  const found: TypeExpression[] = [type];
  // Fast path: most types are a name.
  if (type.kind === "name") return found;
  // The list grows during the iteration, which avoids recursion.
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

/** Returns the names that a type mentions, including core types. */
export function namesIn(type: TypeExpression): readonly Word[] {
  if (type.kind === "name") return [type.name];
  return nestedTypes(type).flatMap((each) =>
    each.kind === "name" ? [each.name] : [],
  );
}

/** Returns the names that a field or an alias mentions, with its variants. */
function namesInTyped(owner: Field | AliasDeclaration): readonly Word[] {
  const names = namesIn(owner.type);
  // Fast path: few declarations are unions.
  return owner.metadata.some(({ variants }) => variants !== undefined)
    ? [...names, ...variantsOf(owner).flatMap(({ type }) => namesIn(type))]
    : names;
}

/** Returns the names of the declared types that a declaration mentions. */
export const namesUsedBy = rememberEach(
  (syntax: TypeSyntax | Method): readonly Word[] =>
    listNames(syntax).filter(({ text }) => !isScalarName(text)),
);

function listNames(syntax: TypeSyntax | Method): readonly Word[] {
  switch (syntax.kind) {
    case "alias": {
      const known = findMetadata(syntax, "known")?.value;
      return [...namesInTyped(syntax), ...(known ? [known] : [])];
    }
    case "enum":
      return [];
    case "struct":
      return syntax.fields.flatMap(namesInTyped);
    case "method":
      return [syntax.input, syntax.output].flatMap((message) => [
        ...message.arguments.flatMap(({ type }) => namesIn(type)),
        ...(message.succinct ? [message.succinct] : []),
      ]);
  }
}
