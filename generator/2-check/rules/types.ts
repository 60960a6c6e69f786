import type { Field, Word } from "../../1-parse/ast.js";
import { isIntegerName, isScalarName } from "../../ir/scalars.js";
import { metadataValue } from "../notation/metadata.js";
import { type Edge, printCycle, walkGraph } from "../program/graph.js";
import { namesIn } from "../program/nodes.js";
import type { DeclaredType, Program, TypeSyntax } from "../program/program.js";
import { type ResolvedType, resolveType } from "../program/resolve-type.js";
import { foldName } from "../program/scope.js";
import { createClashFinder } from "../report/duplicates.js";
import { type Finding, inNodes, relate } from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** Rules about types. */
export const typeRules = {
  "alias-cycle": (program) =>
    reportCycles(
      "alias",
      edgesOfAlias,
      program,
      "turn one of them into a struct",
    ),

  // A struct that requires itself has no finite value.
  "infinite-struct": (program) =>
    reportCycles(
      "struct",
      edgesOfStruct,
      program,
      "make one of the fields optional, or a list",
    ),

  "invalid-map-key": inNodes(
    ["typeExpressions"],
    ({ syntax, document }, program) => {
      if (syntax.kind !== "map") return false;
      const key = resolveType(program, document, syntax.key);
      if (key === null || isKey(key)) return false;
      return {
        at: syntax.key,
        message: `${describeKey(key)} cannot be a map key`,
        notes: [
          "keys are `string`, an integer type such as `uint32`, or an enum",
        ],
      };
    },
  ),

  // Structs, enums and aliases share one case-insensitive namespace, both
  // within each document and its imports and across the entire contract.
  "duplicate-type": (program) =>
    findTypeClashes(
      [...program.scopes.values()].map(({ types }) => types),
      program.types,
    ).map(({ first, again }) => reportDuplicate(first, again, program)),
} satisfies CheckRules;

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
  const ofKind = program.documents.flatMap((document) => {
    const types = program.scopes.get(document.path)?.types ?? [];
    return types.filter(
      (type) => type.document === document && type.syntax.kind === kind,
    );
  });
  const { cycles } = walkGraph(ofKind, (type) => edgesOf(type, program));
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
  return namesIn(syntax.type).flatMap((via) => {
    const to = scope?.typesByName.get(via.text);
    return to?.syntax.kind === "alias" ? { from: alias, to, via } : [];
  });
}

function edgesOfStruct(
  struct: DeclaredType,
  program: Program,
): readonly Edge<DeclaredType, Word>[] {
  const { syntax, document } = struct;
  if (syntax.kind !== "struct") return [];
  return syntax.fields.flatMap((field) => {
    if (field.type.kind !== "name") return [];
    const via = field.type.name;
    // Fast path: nearly all fields have a core type.
    if (isScalarName(via.text) || !isRequired(field)) return [];
    const type = resolveType(program, document, field.type);
    if (type?.kind !== "struct") return [];
    return { from: struct, to: type.declared, via };
  });
}

function isRequired(field: Field): boolean {
  return !field.isOptional && metadataValue(field, "nullable") !== "true";
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
  // Only hosts can be in the same contract without importing each other.
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
