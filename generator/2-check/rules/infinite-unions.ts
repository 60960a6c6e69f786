import type { Field } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import {
  type HasMetadata,
  isUnion,
  metadataValue,
  variantsOf,
} from "../notation/metadata.js";
import { structUnionOf } from "../notation/unions.js";
import { containedType } from "../program/contained-type.js";
import type { DeclaredType, Program, TypeSyntax } from "../program/program.js";
import type { Finding } from "../report/finding.js";

/** What a finite value of a struct or a union needs. */
interface Needs {
  /** The types of which it needs a value. */
  readonly all: readonly (DeclaredType | null)[];
  /** The types of its variants. It needs a value of one of them. */
  readonly some: readonly (DeclaredType | null)[] | null;
}

/** A field, or the type of a variant. */
type Contained = Parameters<typeof containedType>[0] &
  Partial<Pick<Field, "isOptional">>;

/** Reports the unions that have no finite value. */
export function findInfiniteUnions(program: Program): readonly Finding[] {
  const { aliases, structs } = program.nodes;
  const unions: readonly DeclaredType[] = [
    ...aliases.filter(({ syntax }) => isUnion(syntax)),
    ...structs.filter(({ syntax }) => structUnionOf(syntax) !== null),
  ];
  const needs = new Map<TypeSyntax, Needs>();
  const reached = new Map(unions.map((each) => [each.syntax, each]));
  // The loop also visits the types that it adds, which can be imported.
  for (const [syntax, declared] of reached) {
    const found = needsOf(declared, program);
    needs.set(syntax, found);
    for (const each of [...found.all, ...(found.some ?? [])]) {
      if (each !== null) reached.set(each.syntax, each);
    }
  }
  const finite = new Set<TypeSyntax>();
  const has = (type: DeclaredType | null): boolean =>
    type === null || finite.has(type.syntax);
  // Each round finds the types that need only types of earlier rounds.
  for (let size = -1; size < finite.size;) {
    ({ size } = finite);
    for (const [syntax, { all, some }] of needs) {
      if (all.every(has) && some?.some(has) !== false) finite.add(syntax);
    }
  }
  return unions.flatMap(({ document, syntax }) => {
    const { name } = syntax;
    if (finite.has(syntax)) return [];
    return {
      document,
      at: name,
      message: `every variant of union \`${name.text}\` requires the union again`,
      help: "add a variant that does not contain it, or make a field optional",
    };
  });
}

function needsOf({ syntax, document }: DeclaredType, program: Program): Needs {
  const list = (parts: readonly Contained[]): Needs["all"] =>
    neededTypes(parts, document, program);
  switch (syntax.kind) {
    case "enum":
      return { all: [], some: null };
    case "alias": {
      // Variants that cannot be read are reported by the parser.
      const variants = list(partsOf(syntax));
      return { all: [], some: variants.length === 0 ? null : variants };
    }
    case "struct":
      break;
  }
  const union = structUnionOf(syntax);
  if (union === null) return { all: list(syntax.fields), some: null };
  if (union.kind === "choice") {
    const others = syntax.fields.filter((each) => !union.fields.includes(each));
    // The chosen field is required, although it is declared as optional.
    const some = union.fields.map(({ metadata, type }) => ({ metadata, type }));
    return { all: list(others), some: list(some) };
  }
  const { content } = union;
  const others = syntax.fields.filter((each) => each !== content);
  const isNeeded = isRequired(content) && union.variants.length > 0;
  const some = list(isNeeded ? partsOf(content) : [content]);
  return { all: list(others), some };
}

/** Returns the type that each required part needs. */
function neededTypes(
  parts: readonly Contained[],
  document: LoadedDocument,
  program: Program,
): Needs["all"] {
  return parts.map((part) =>
    isRequired(part) ? containedType(part, document, program) : null,
  );
}

function partsOf(owner: HasMetadata): readonly Contained[] {
  return variantsOf(owner).map(({ type }) => ({ type, metadata: [] }));
}

function isRequired(part: Contained): boolean {
  return part.isOptional !== true && metadataValue(part, "nullable") !== "true";
}
