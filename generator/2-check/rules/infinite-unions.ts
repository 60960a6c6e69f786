import type { Field, StructDeclaration } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import {
  type HasMetadata,
  isUnion,
  metadataValue,
  variantsOf,
} from "../notation/metadata.js";
import { structUnionOf } from "../notation/unions.js";
import { containedType } from "../program/contained-type.js";
import type { Declared, Program, TypeSyntax } from "../program/program.js";
import type { Finding } from "../report/finding.js";

/** What a finite value of a struct or a union needs. */
interface Needs extends Declared<TypeSyntax> {
  /** The types of which it needs a value. */
  readonly all: readonly (TypeSyntax | null)[];
  /** The types of its variants. It needs a value of one of them. */
  readonly some: readonly (TypeSyntax | null)[] | null;
}

/** A field, or the type of a variant. */
type Part = Parameters<typeof containedType>[0] &
  Partial<Pick<Field, "isOptional">>;

/** Reports the unions that have no finite value. */
export function findInfiniteUnions(program: Program): readonly Finding[] {
  const aliases = program.nodes.aliases.flatMap(
    ({ syntax, document }): Needs[] => {
      if (!isUnion(syntax)) return [];
      const some = neededTypes(partsOf(syntax), document, program);
      return some.length === 0 ? [] : [{ syntax, document, all: [], some }];
    },
  );
  const structs = program.nodes.structs.map((each) => needsOf(each, program));
  const needs = [...aliases, ...structs];
  if (needs.every(({ some }) => some === null)) return [];
  const finite = new Set<TypeSyntax | null>([null]);
  const has = (type: TypeSyntax | null): boolean => finite.has(type);
  // Each round finds the types that need only types of earlier rounds.
  for (let size = -1; size < finite.size;) {
    ({ size } = finite);
    for (const { all, some, syntax } of needs) {
      if (all.every(has) && some?.some(has) !== false) finite.add(syntax);
    }
  }
  return needs.flatMap(({ document, some, syntax }) => {
    const { name } = syntax;
    if (some === null || finite.has(syntax)) return [];
    return {
      document,
      at: name,
      message: `every variant of union \`${name.text}\` requires the union again`,
      help: "add a variant that does not contain it, or make a field optional",
    };
  });
}

function needsOf(
  { syntax, document }: Declared<StructDeclaration>,
  program: Program,
): Needs {
  const union = structUnionOf(syntax);
  const list = (parts: readonly Part[]): Needs["all"] =>
    neededTypes(parts, document, program);
  if (union === null)
    return { syntax, document, all: list(syntax.fields), some: null };
  if (union.kind === "choice") {
    const others = syntax.fields.filter((each) => !union.fields.includes(each));
    // The chosen field is required, although it is declared as optional.
    const some = union.fields.map(({ metadata, type }) => ({ metadata, type }));
    return { syntax, document, all: list(others), some: list(some) };
  }
  const { content } = union;
  const others = syntax.fields.filter((each) => each !== content);
  const isNeeded = isRequired(content) && union.variants.length > 0;
  const some = list(isNeeded ? partsOf(content) : [content]);
  return { syntax, document, all: list(others), some };
}

/** Returns the type that each required part needs. */
function neededTypes(
  parts: readonly Part[],
  document: LoadedDocument,
  program: Program,
): Needs["all"] {
  return parts.map((part) =>
    isRequired(part)
      ? (containedType(part, document, program)?.syntax ?? null)
      : null,
  );
}

function partsOf(owner: HasMetadata): readonly Part[] {
  return variantsOf(owner).map(({ type }) => ({ type, metadata: [] }));
}

function isRequired(part: Part): boolean {
  return part.isOptional !== true && metadataValue(part, "nullable") !== "true";
}
