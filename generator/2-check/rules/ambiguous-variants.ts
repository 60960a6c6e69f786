import type {
  AliasDeclaration,
  StructDeclaration,
  TypeExpression,
} from "../../1-parse/ast.js";
import { codeOf } from "../../diagnostics/names.js";
import {
  findAmbiguities,
  type JsonKind,
  type VariantShape,
} from "../../ir/variant-shape.js";
import { isUnion, metadataValue, variantsOf } from "../notation/metadata.js";
import { maxVariants, structUnionOf } from "../notation/unions.js";
import type { Declared, Program } from "../program/program.js";
import { resolveType } from "../program/resolve-type.js";
import { isAny, shapeOf, tagsOf } from "../program/variants.js";
import { findDuplicates } from "../report/duplicates.js";
import type { NodeFinding, Placed } from "../report/finding.js";

/** Reports the variants of a `type` of which one value can be. */
export function findAmbiguousVariants(
  { syntax, document }: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  if (!isUnion(syntax)) return [];
  const variants = variantsOf(syntax);
  if (variants.length > maxVariants) return [];
  const tag = metadataValue(syntax, "tag");
  if (tag !== undefined) {
    return findSameTags(
      variants.flatMap(({ type }) =>
        tagsOf(program, document, type, tag).map((each) => ({
          tag: String(each),
          at: type,
        })),
      ),
    );
  }
  const shaped = variants.flatMap(({ type }) => {
    // A variant of type `any` is reported by another rule.
    const resolved = resolveType(program, document, type);
    if (isAny(resolved)) return [];
    const shape = shapeOf(program, document, type);
    const isUnion = resolved?.kind === "union";
    const { start, end } = type.span;
    const name = document.syntax.source.text.slice(start, end);
    return shape === null ? [] : [{ type, name, shape, isUnion }];
  });
  return findAmbiguities(shaped.map(({ shape }) => shape)).flatMap(
    ({ again, first, kind }) => {
      const [earlier, later] = [shaped[first], shaped[again]];
      if (earlier === undefined || later === undefined) return [];
      return {
        at: later.type,
        related: [{ at: earlier.type, label: "the earlier variant" }],
        ...explain(kind, earlier, later),
      };
    },
  );
}

/** Reports the tags that two variants of a field have. */
export function findAmbiguousTags({
  syntax,
}: Declared<StructDeclaration>): readonly NodeFinding[] {
  const union = structUnionOf(syntax);
  return union?.kind === "tag"
    ? findSameTags(
        union.variants.flatMap(({ values }) =>
          values.map((value) => ({ tag: value.text, at: value })),
        ),
      )
    : [];
}

/** A variant without a tag. */
interface Shaped {
  readonly type: TypeExpression;
  /** The type as written. */
  readonly name: string;
  readonly shape: VariantShape;
  readonly isUnion: boolean;
}

const kindNames: Readonly<Record<JsonKind, string>> = {
  array: "a list",
  boolean: "a boolean",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

function explain(
  kind: JsonKind,
  earlier: Shaped,
  later: Shaped,
): Pick<NodeFinding, "help" | "message"> {
  const [first, again] = [codeOf(earlier.name), codeOf(later.name)];
  if (first === again) {
    return {
      message: `${first} is a variant twice`,
      help: "remove one of them",
    };
  }
  return {
    message: `${kindNames[kind]} can be both ${first} and ${again}`,
    help: helpFor(kind, earlier, later),
  };
}

function helpFor(kind: JsonKind, earlier: Shaped, later: Shaped): string {
  if (kind !== "object") return "use a struct instead of one of them";
  if (later.shape.isMap) {
    return later.shape.required.size === 0
      ? "a map can have the fields of a struct, so use a struct instead"
      : `${codeOf(later.name)} can have the fields of ${codeOf(earlier.name)} as extra members, so list it first`;
  }
  return earlier.isUnion
    ? `list the variants of ${codeOf(earlier.name)} in this union`
    : "put the variant with more required fields first, or add a `tag`";
}

function findSameTags(
  tags: readonly { readonly tag: string; readonly at: Placed }[],
): readonly NodeFinding[] {
  return findDuplicates(tags, ({ tag }) => `=${tag}`).map(
    ({ first, again }) => ({
      at: again.at,
      message: `two variants have the tag ${codeOf(again.tag)}`,
      related: [{ at: first.at, label: "first used here" }],
      help: "give each variant its own tag",
    }),
  );
}
