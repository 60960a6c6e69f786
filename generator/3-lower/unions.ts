import type { StructDeclaration, Variant } from "../1-parse/ast.js";
import { metadataValue } from "../2-check/notation/metadata.js";
import {
  labelOf,
  structUnionOf,
  variantName,
} from "../2-check/notation/unions.js";
import { tagsOfVariant } from "../2-check/program/variants.js";
import { invariant } from "../ir/invariant.js";
import type {
  AllowedValue,
  Field,
  Struct,
  TypeDeclaration,
  TypeReference,
  Union,
} from "../ir/contract.js";
import { type DocumentScope, lowerReference } from "./types.js";

/**
 * Lowers a struct that is a union to a union of structs, one for each variant,
 * which precede it. Returns only the struct if it is none.
 */
export function lowerStruct(
  syntax: StructDeclaration,
  struct: Struct,
  { document, program, scope }: DocumentScope,
): readonly TypeDeclaration[] {
  const union = structUnionOf(syntax);
  if (union === null) return [struct];
  const fieldOf = (name: string): Field => {
    const field = struct.fields.find((each) => each.name === name);
    invariant(field !== undefined, `struct ${struct.name} has no ${name}`);
    return field;
  };
  if (union.kind === "tag") {
    const { content, variants } = union;
    const tag = fieldOf(union.tag);
    const held = fieldOf(content.name.text);
    const isOpen = metadataValue(content, "open") === "true";
    const tagSyntax = syntax.fields.find(({ name }) => name.text === tag.name);
    const readTags = (variant: Variant): readonly AllowedValue[] =>
      tagSyntax ? tagsOfVariant(program, document, tagSyntax, variant) : [];
    const structs = variants.map((variant) => {
      const type = lowerReference(variant.type, scope);
      const replaced = new Map([
        [tag, withTags(tag, readTags(variant))],
        [held, isNull(type) ? null : { ...held, type, metadata: [] }],
      ]);
      return variantStruct(struct, labelOf(variant), replaced);
    });
    return [
      ...structs,
      unionOf(struct, structs, { tag: tag.jsonName, isOpen, choice: [] }),
    ];
  }
  const choices = union.fields.map(({ name }) => fieldOf(name.text));
  const structs = choices.map((chosen) => {
    const replaced = new Map(
      choices.map((each) => [
        each,
        each === chosen ? { ...each, isOptional: false } : null,
      ]),
    );
    return variantStruct(struct, chosen.name, replaced);
  });
  const choice = choices.map(({ jsonName }) => jsonName);
  return [
    ...structs,
    unionOf(struct, structs, { tag: null, isOpen: false, choice }),
  ];
}

/** A variant of type `null` has no content. */
function isNull(type: TypeReference): boolean {
  return type.kind === "scalar" && type.name === "null";
}

function withTags(tag: Field, values: readonly AllowedValue[]): Field {
  return { ...tag, constraints: { ...tag.constraints, enum: values } };
}

/** Creates the struct of a variant. A field that is null is omitted. */
function variantStruct(
  struct: Struct,
  label: string,
  replaced: ReadonlyMap<Field, Field | null>,
): Struct {
  return {
    ...struct,
    name: variantName(struct.name, label),
    fields: struct.fields.flatMap((field) => {
      const variant = replaced.get(field);
      return variant === undefined ? field : (variant ?? []);
    }),
  };
}

function unionOf(
  { docs, host, name }: Struct,
  structs: readonly Struct[],
  parts: Pick<Union, "choice" | "isOpen" | "tag">,
): Union {
  return {
    kind: "union",
    name,
    docs,
    host,
    variants: structs.map((each) => ({ kind: "reference", name: each.name })),
    ...parts,
    constraints: {},
    title: null,
    isNullable: false,
    metadata: [],
  };
}
