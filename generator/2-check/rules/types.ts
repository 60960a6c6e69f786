import type { Field, Word } from "../../1-parse/ast.js";
import { isIntegerName, isScalarName } from "../../ir/scalars.js";
import { metadataValue } from "../notation/metadata.js";
import { type Edge, walkGraph } from "../program/graph.js";
import { namesIn } from "../program/nodes.js";
import type { DeclaredType, Program } from "../program/program.js";
import { type ResolvedType, resolveType } from "../program/resolve-type.js";
import { foldName } from "../program/scope.js";
import { findDuplicates } from "../report/duplicates.js";
import { type Finding, errorAt } from "../report/finding.js";
import { reportCycle } from "../report/report-cycle.js";
import { locate, relate } from "../report/report.js";
import type { CheckRules } from "./rule.js";

/** Rules about types. */
export const typeRules = {
  "alias-cycle": (program) => {
    const aliases = [...program.scopes.values()].flatMap(({ types }) =>
      types.filter(({ syntax }) => syntax.kind === "alias"),
    );
    return walkGraph(new Set(aliases), (alias) =>
      edgesOfAlias(alias, program),
    ).cycles.flatMap((edges) =>
      reportCycle(edges, {
        what: "alias",
        help: "make one of them a struct",
      }),
    );
  },

  // A struct that requires itself has no finite value.
  "infinite-struct": (program) => {
    const structs = [...program.scopes.values()].flatMap(({ types }) =>
      types.filter(({ syntax }) => syntax.kind === "struct"),
    );
    return walkGraph(new Set(structs), (struct) =>
      edgesOfStruct(struct, program),
    ).cycles.flatMap((edges) =>
      reportCycle(edges, {
        what: "struct",
        help: "make one of the fields optional, or a list",
      }),
    );
  },

  "invalid-map-key": (program) =>
    program.nodes.maps.flatMap(({ syntax, document }) => {
      const key = resolveType(program, document, syntax.key);
      if (key === null || isKey(key)) return [];
      return errorAt(
        locate(document, syntax.key),
        `${describeKey(key)} cannot be the key of a map`,
        {
          notes: [
            "keys are `string`, an integer type such as `uint32`, or an enum",
          ],
        },
      );
    }),

  // Structs, enums and aliases share their names, whatever the case: in each
  // document with what it imports, and in the contract as a whole.
  "duplicate-type": (program) => {
    const blamed = new Set<DeclaredType>();
    return [...program.scopes.values(), program].flatMap(({ types }) =>
      findDuplicates(types, ({ syntax }) => foldName(syntax.name.text)).flatMap(
        ({ first, again }) => {
          if (blamed.has(first) || blamed.has(again)) return [];
          blamed.add(again);
          return reportDuplicate(first, again, program);
        },
      ),
    );
  },
} satisfies CheckRules;

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
    // Nearly all fields are of core types, or no name.
    if (field.type.kind !== "name") return [];
    const via = field.type.name;
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
    // A byte is no key for webrpc either.
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
  // Only hosts meet in one contract without importing one another.
  const isAcrossHosts = ![...scopes.values()].some(
    ({ types }) => types.includes(first) && types.includes(again),
  );
  return errorAt(
    locate(again.document, name),
    other === name.text
      ? `type \`${name.text}\` is declared twice`
      : `types \`${other}\` and \`${name.text}\` differ only in case`,
    {
      related: [
        relate(first.document, first.syntax.name, "first declared here"),
      ],
      help: isAcrossHosts
        ? "rename one of them, or declare it once in a document that both import"
        : "rename one of them",
    },
  );
}
