import type {
  Field,
  StructDeclaration,
  Variant,
  Word,
} from "../../1-parse/ast.js";
import { isUnion, metadataValue, variantsOf } from "./metadata.js";

/** Maximum number of variants of a union. */
export const maxVariants = 256;

/**
 * How a struct is a union: a field `+ oneOf` with its tag in another field, or
 * fields `+ choice` of which exactly one is present.
 */
export type StructUnion =
  | {
      readonly kind: "tag";
      /** The field with the variants. */
      readonly content: Field;
      /** The name in RIDL of the field with the tag. */
      readonly tag: string;
      readonly variants: readonly Variant[];
    }
  | { readonly kind: "choice"; readonly fields: readonly Field[] };

/** Returns how a struct is a union, or null if it is none. */
export function structUnionOf({
  fields,
}: StructDeclaration): StructUnion | null {
  // Fast path: few structs are unions.
  const marked = fields.filter(
    (field) =>
      field.metadata.length > 0 &&
      (isUnion(field) || metadataValue(field, "choice") !== undefined),
  );
  const content = marked.find(isUnion);
  if (content !== undefined) {
    const tag = metadataValue(content, "tag") ?? "";
    return { kind: "tag", content, tag, variants: variantsOf(content) };
  }
  return marked.length === 0 ? null : { kind: "choice", fields: marked };
}

/**
 * Returns the name of the struct that a variant of a struct becomes, e.g.
 * `PaymentCreated` for the tag `created`.
 */
export function variantName(struct: string, label: string): string {
  const words = label.split(/[^\p{L}\p{N}]+/u);
  return (
    struct +
    words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")
  );
}

/** Returns the label of a variant: its first tag. */
export function labelOf({ values }: Variant): string {
  return values[0]?.text ?? "";
}

/** A struct that a variant of a struct becomes. */
export interface DerivedStruct {
  /** What names the variant: its first tag, or a field. */
  readonly label: Word;
  readonly name: string;
}

/** Returns the structs that the variants of a struct become. */
export function derivedStructsOf(
  syntax: StructDeclaration,
): readonly DerivedStruct[] {
  const union = structUnionOf(syntax);
  const labels =
    union?.kind === "tag"
      ? union.variants.flatMap(({ values }) => values.slice(0, 1))
      : (union?.fields.map(({ name }) => name) ?? []);
  return labels.map((label) => ({
    label,
    name: variantName(syntax.name.text, label.text),
  }));
}
