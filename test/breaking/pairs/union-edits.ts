import type { Random } from "../../support/random.js";
import { drawVariant, joinVariants, tagged } from "./draw-unions.js";
import type { Meta, Sketch, SketchField, SketchStruct } from "./sketch.js";

type Edit = (sketch: Sketch, random: Random) => void;

/** Applies an edit to the metadata of a union. */
function onUnion(edit: (meta: Meta, random: Random) => void): Edit {
  return (sketch, random) => {
    const metas = [
      ...sketch.types.flatMap((type) => (type.kind === "alias" ? type : [])),
      ...structsOf(sketch).flatMap(({ fields }) => fields),
    ].map(({ meta }) => meta);
    const unions = metas.filter((meta) => meta["oneOf"] !== undefined);
    const meta = random.maybeOneOf(unions);
    if (meta) edit(meta, random);
  };
}

/** Applies an edit to the variants of a union. */
function onVariants(
  edit: (variants: string[], random: Random, isTagged: boolean) => void,
): Edit {
  return onUnion((meta, random) => {
    const variants = meta["oneOf"]?.split("|") ?? [];
    edit(variants, random, meta["tag"] !== undefined);
    meta["oneOf"] = joinVariants(variants);
  });
}

/** Applies an edit to the field with the tag of a struct. */
function onTag(edit: (field: SketchField, random: Random) => void): Edit {
  return (sketch, random) => {
    const fields = structsOf(sketch)
      .flatMap((struct) => struct.fields)
      .filter(({ meta }) => meta["enum"] !== undefined);
    const field = random.maybeOneOf(fields);
    if (field) edit(field, random);
  };
}

function structsOf({ types }: Sketch): readonly SketchStruct[] {
  return types.flatMap((type) => (type.kind === "struct" ? type : []));
}

/** Edits of unions in every form. */
export const unionEdits: readonly [Edit, ...Edit[]] = [
  onVariants((variants, random, isTagged) => {
    const isBeside = variants.some((each) => each.includes(":"));
    const added = isTagged ? random.oneOf(tagged) : drawVariant(random);
    variants.push(isBeside ? `more:${random.oneOf(["Dot", "bool"])}` : added);
  }),
  onVariants((variants, random) => {
    variants.splice(random.below(variants.length), 1);
  }),
  onVariants((variants, random) => {
    const at = random.below(variants.length);
    const [label, type] = variants[at]?.split(":") ?? [];
    variants[at] =
      type === undefined
        ? drawVariant(random)
        : `${label}:${random.oneOf(["Dot", "Edge", "string", "null"])}`;
  }),
  onVariants((variants) => {
    variants.reverse();
  }),
  onUnion((meta) => {
    if (meta["open"] === undefined) meta["open"] = "true";
    else delete meta["open"];
  }),
  onUnion((meta) => {
    if (meta["tag"] === "kind") {
      delete meta["tag"];
      delete meta["open"];
    } else if (meta["tag"] === undefined) {
      meta["tag"] = "kind";
      meta["oneOf"] = joinVariants(tagged);
    }
  }),
  ({ types }) => {
    for (const type of types) {
      if (type.kind === "alias" && type.meta["tag"] === "kind")
        type.meta["tag"] = "sort";
      if (type.kind !== "struct") continue;
      for (const field of type.fields)
        if (field.meta["enum"] !== undefined) field.name = "sort";
    }
  },
  onTag(({ meta }, random) => {
    meta["enum"] = `${meta["enum"]}|${random.oneOf(["oval", "wide", "ring"])}`;
  }),
  onTag(({ meta }, random) => {
    const values = meta["enum"]?.split("|") ?? [];
    meta["enum"] = values[random.below(values.length)] ?? "other";
  }),
  (sketch) => {
    // Move a tag to another variant.
    for (const { fields, name } of structsOf(sketch)) {
      for (const { meta } of fields) {
        if (name === "Round" && meta["enum"] !== undefined)
          meta["enum"] = "round";
        if (name === "Square" && meta["enum"] !== undefined)
          meta["enum"] = "square|oval";
      }
    }
  },
  (sketch, random) => {
    // Turn fields of a struct into a choice, or remove a field from one.
    const struct = random.oneOf(["Payment", "Payment", "Item", "Dot"]);
    const fields =
      structsOf(sketch).find(({ name }) => name === struct)?.fields ?? [];
    const chosen = random.chance(0.3) ? fields : random.shuffled(fields);
    const isAdded = random.chance(0.5);
    for (const { isOptional, meta } of chosen.slice(0, 2)) {
      if (isAdded && isOptional) meta["choice"] = "method";
      else delete meta["choice"];
    }
  },
  (sketch) => {
    const all = structsOf(sketch).flatMap(({ fields }) => fields);
    for (const { meta } of all) delete meta["choice"];
  },
  (sketch, random) => {
    // Turn a type into a union, or a union into one of its types.
    const aliases = sketch.types.flatMap((type) =>
      type.kind === "alias" && type.meta["header"] === undefined ? type : [],
    );
    const alias = random.maybeOneOf(aliases);
    if (alias === undefined) return;
    const { oneOf } = alias.meta;
    const variants = oneOf?.split("|") ?? [alias.type, drawVariant(random)];
    const only = random.maybeOneOf(variants) ?? "string";
    alias.type = oneOf === undefined ? "any" : only;
    alias.meta = oneOf === undefined ? { oneOf: joinVariants(variants) } : {};
  },
];
