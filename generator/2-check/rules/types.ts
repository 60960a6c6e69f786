import type { Field, TypeExpression, Word } from "../../1-parse/ast.js";
import { isIntegerName, isScalarName, scalars } from "../../ir/scalars.js";
import {
  type HasMetadata,
  isUnion,
  metadataValue,
  variantsOf,
} from "../notation/metadata.js";
import { metadataKeys } from "../notation/notation.js";
import { containedType, innerType } from "../program/contained-type.js";
import { type Edge, printCycle, walkGraph } from "../program/graph.js";
import { namesIn } from "../program/nodes.js";
import type {
  DeclaredType,
  Program,
  TypeSyntax,
  Declared,
} from "../program/program.js";
import {
  aliasesOf,
  isByteType,
  isNullableType,
  type ResolvedType,
  resolveType,
} from "../program/resolve-type.js";
import { foldName } from "../program/scope.js";
import { createClashFinder } from "../report/duplicates.js";
import { type Finding, inNodes, relate, locate } from "../report/finding.js";
import type { CheckRules, Rule } from "./rule.js";
import { findDerivedClashes } from "./struct-unions.js";
import { maxTypeDepth } from "../../1-parse/type-expression.js";
import { adviseType } from "../../1-parse/foreign-words.js";
import { lookUpIgnoringCase } from "../program/reach.js";
import { createSuggester } from "../report/did-you-mean.js";

/** Rules about types. */
export const typeRules = {
  "alias-cycle": (program) =>
    reportCycles(
      "alias",
      edgesOfAlias,
      program,
      "turn an alias in the cycle into a struct",
    ),

  // A struct that requires itself has no finite value.
  "infinite-struct": (program) =>
    reportCycles(
      "struct",
      edgesOfStruct,
      program,
      "make one of the fields optional, or a list that can be empty",
    ),

  "invalid-map-key": inNodes(
    ["typeExpressions"],
    ({ syntax, document }, program) => {
      if (syntax.kind !== "map") return false;
      const key = resolveType(program, document, syntax.key);
      if (key === null) return false;
      if (isKey(key)) {
        return (
          isNullableType(program, document, syntax.key) && {
            at: syntax.key,
            message: "a map key cannot be null, but its type is nullable",
          }
        );
      }
      return {
        at: syntax.key,
        message: `${describeKey(key)} cannot be a map key`,
        notes: [
          "a key has type `string`, an integer type such as `uint32`, or an enum",
        ],
      };
    },
  ),

  // Bytes are base64 text on the wire and are not validated one by one.
  "limited-bytes": inNodes(
    ["typeExpressions"],
    ({ syntax, document }, program) => {
      if (syntax.kind !== "list") return false;
      const { element } = syntax;
      if (!isByteType(program, document, element)) return false;
      const aliases = aliasesOf(program, document, element);
      const [limit] = aliases.flatMap(({ document, syntax }) => {
        const at = syntax.metadata.find(
          ({ key, value }) =>
            limitsNumbers(key.text) ||
            (key.text === "nullable" && value.text === "true"),
        );
        return at === undefined ? [] : { at, document, name: syntax.name.text };
      });
      return (
        limit !== undefined && {
          at: element,
          message: `the limits of \`${limit.name}\` do not apply to a list of bytes`,
          related: [{ ...limit, label: "this limit would have no effect" }],
          notes: ["a list of `byte` or `uint8` is sent as base64 text"],
          help: `to send a list of numbers, give \`${limit.name}\` a type such as \`uint16\``,
        }
      );
    },
  ),

  // Structs, enums and aliases share one case-insensitive namespace, both
  // within each document and its imports and across the entire contract.
  "duplicate-type": (program) => [
    ...findTypeClashes(
      [...program.scopes.values()].map(({ types }) => types),
      program.typesByDocument,
    ).map(({ first, again }) => reportDuplicate(first, again, program)),
    ...findDerivedClashes(program),
  ],
} satisfies CheckRules;

function limitsNumbers(key: string): boolean {
  const limits = metadataKeys.get(key)?.limits;
  return limits === "number" || limits === "values";
}

const findTypeClashes = createClashFinder(({ syntax }: DeclaredType) =>
  foldName(syntax.name.text),
);

type EdgesOf = (
  type: DeclaredType,
  program: Program,
) => readonly Edge<DeclaredType, Word>[];

/** Reports each cycle of types of one kind at its first step. */
function reportCycles(
  kind: TypeSyntax["kind"],
  edgesOf: EdgesOf,
  program: Program,
  help: string,
): readonly Finding[] {
  const types = program.documents.flatMap(
    ({ path }) => program.scopes.get(path)?.own.types ?? [],
  );
  const { cycles } = walkGraph(types, (type) => edgesOf(type, program));
  return cycles.flatMap((edges) => {
    const [first, ...rest] = edges;
    if (first === undefined) return [];
    const nameOf = ({ syntax }: DeclaredType): string => syntax.name.text;
    return {
      document: first.from.document,
      at: first.via,
      message: `${kind} \`${nameOf(first.from)}\` contains itself: ${printCycle(edges, nameOf)}`,
      related: rest.map(({ from, via }) =>
        relate(from, via, "the cycle continues here"),
      ),
      help,
    };
  });
}

function edgesOfAlias(
  alias: DeclaredType,
  { scopes }: Program,
): readonly Edge<DeclaredType, Word>[] {
  const { syntax, document } = alias;
  if (syntax.kind !== "alias") return [];
  const scope = scopes.get(document.path);
  // A union is a type of its own, which a list in it can contain again.
  const names = isUnion(syntax)
    ? variantsOf(syntax).flatMap(({ type }) =>
        type.kind === "name" ? type.name : [],
      )
    : namesIn(syntax.type);
  return names.flatMap((via) => {
    const to = scope?.typesByName.get(via.text);
    const isNext =
      to?.syntax.kind === "alias" &&
      (isUnion(syntax) === isUnion(to.syntax) ||
        to.syntax.type.kind === "name");
    return isNext ? { from: alias, to, via } : [];
  });
}

function edgesOfStruct(
  struct: DeclaredType,
  program: Program,
): readonly Edge<DeclaredType, Word>[] {
  const { syntax, document } = struct;
  if (syntax.kind !== "struct") return [];
  return syntax.fields.flatMap((field) => {
    const via = innermostName(field.type);
    // Fast path: nearly all fields have a core type.
    if (isScalarName(via.text) || !isRequired(field)) return [];
    const to = containedType(field, document, program);
    return to?.syntax.kind === "struct" ? { from: struct, to, via } : [];
  });
}

function innermostName(type: TypeExpression): Word {
  let inner = type;
  while (inner.kind !== "name") inner = innerType(inner);
  return inner.name;
}

function isRequired(field: Field): boolean {
  return !field.isOptional && !isNullable(field);
}

function isNullable(owner: HasMetadata): boolean {
  return metadataValue(owner, "nullable") === "true";
}

function isKey(key: ResolvedType): boolean {
  if (key.kind === "scalar") {
    // webrpc does not accept a byte as a key either.
    return (
      key.name === "string" || (isIntegerName(key.name) && key.name !== "byte")
    );
  }
  return key.kind === "enum";
}

function describeKey(key: ResolvedType): string {
  switch (key.kind) {
    case "scalar":
      return `\`${key.name}\``;
    case "enum":
    case "struct":
    case "union":
      return `${key.kind} \`${key.declared.syntax.name.text}\``;
    case "list":
    case "map":
      return `a ${key.kind}`;
  }
}

function reportDuplicate(
  first: DeclaredType,
  again: DeclaredType,
  { scopes }: Program,
): Finding {
  const { name } = again.syntax;
  const other = first.syntax.name.text;
  // If no document can use both types, they clash only because their hosts are
  // in the same contract.
  const isAcrossHosts = ![...scopes.values()].some(
    ({ types }) => types.includes(first) && types.includes(again),
  );
  return {
    document: again.document,
    at: name,
    message:
      other === name.text
        ? `type \`${name.text}\` is declared twice`
        : `types \`${other}\` and \`${name.text}\` differ only in case`,
    related: [relate(first, first.syntax.name, "first declared here")],
    help: isAcrossHosts
      ? "rename one of them, or declare it once in a document that both import"
      : "rename one of them",
  };
}

/** Reports types that nest too deeply, including through aliases. */
export const deepNesting: Rule = (program) => {
  const aliases = program.types.filter(({ syntax }) => syntax.kind === "alias");
  const { finished } = walkGraph(aliases, (from) => {
    const { inner: to, level: via } = unwrap(from, program);
    return to ? [{ from, to, via }] : [];
  });
  const depths = new Map<DeclaredType, number>();
  return [...finished].flatMap((type) => {
    const { inner, level } = unwrap(type, program);
    const below = (inner && depths.get(inner)) ?? 0;
    depths.set(type, level + below);
    // If an inner type is already too deep, only that type is reported.
    if (level + below <= maxTypeDepth || below > maxTypeDepth) return [];
    const { name } = type.syntax;
    return {
      document: type.document,
      at: name,
      message: `type \`${name.text}\` is nested too deeply`,
      notes: [`lists and maps can be nested up to ${maxTypeDepth} levels deep`],
      help: "turn one of the types in between into a struct",
    };
  });
};

/**
 * Returns the type inside the lists and maps of an alias, and how many lists
 * and maps contain it.
 */
function unwrap(
  { syntax, document }: DeclaredType,
  { scopes }: Program,
): { readonly inner: DeclaredType | undefined; readonly level: number } {
  if (syntax.kind !== "alias") return { inner: undefined, level: 0 };
  let { type } = syntax;
  let level = 0;
  for (; type.kind !== "name"; level += 1) {
    type = innerType(type);
  }
  const scope = scopes.get(document.path);
  return { inner: scope?.typesByName.get(type.name.text), level };
}

/**
 * Every type must be a core type, or be declared in the document or in one of
 * its imports.
 */
export const unknownType: Rule = (program) => {
  const { nodes } = program;
  const keys = new Set<TypeExpression>();
  const names: Name[] = [];
  for (const { syntax, document } of nodes.typeExpressions) {
    // Type expressions list a map before its key.
    if (syntax.kind === "map") keys.add(syntax.key);
    if (syntax.kind !== "name" || isScalarName(syntax.name.text)) continue;
    names.push({ syntax: syntax.name, document, isLoose: keys.has(syntax) });
  }
  const bodies = nodes.messages.flatMap(({ syntax, document }) =>
    syntax.succinct ? { syntax: syntax.succinct, document, isLoose: true } : [],
  );
  const suggest = createSuggester();
  return [...names, ...bodies].flatMap((name) =>
    checkName(name, program, suggest),
  );
};

/** A name that refers to a type. */
interface Name extends Declared<Word> {
  /** Whether webrpc ignores case here. */
  readonly isLoose: boolean;
}

function checkName(
  { syntax, document, isLoose }: Name,
  { scopes }: Program,
  suggest: ReturnType<typeof createSuggester>,
): readonly Finding[] {
  const scope = scopes.get(document.path);
  const { text } = syntax;
  if (text === "" || !scope?.isComplete) return [];
  const found = isLoose
    ? lookUpIgnoringCase(scope, text)
    : scope.typesByName.get(text);
  // A core type as the body of a message is reported as `invalid-succinct`.
  if (found || isScalarName(text)) return [];
  const names = [...Object.keys(scalars), ...scope.typesByName.keys()];
  const advice = adviseType(text);
  const help = /^[a-z]\w*$/iu.test(text)
    ? `declare it with \`struct ${text}\` or \`type ${text}: string\`, or import a document that does`
    : "names of types start with a letter and contain letters, digits and `_`";
  return [
    {
      document,
      at: syntax,
      message: `type \`${text}\` is not declared`,
      help: advice ?? help,
      ...(advice === undefined &&
        suggest(text, names, locate(document, syntax))),
    },
  ];
}
