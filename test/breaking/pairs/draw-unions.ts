import type { Random } from "../../support/random.js";
import type { Meta, SketchField, SketchType } from "./sketch.js";

/** The structs with a tag. */
export const tagged = ["Round", "Square", "Line"] as const;

/** Types of which each has another kind of JSON. */
const texts = ["string", "Word", "Color", "timestamp", "bigint", "[]byte"];
const numbers = ["int32", "float64", "uint8", "int64", "Level"];
const lists = ["[]string", "[]int32", "[]Round"];
const objects = ["Dot", "Edge", "map<string,int32>"];

/** Draws a type of a union whose variants have no tag. */
export function drawVariant(random: Random): string {
  const kinds = [texts, numbers, lists, objects, objects, ["bool"], ["null"]];
  return random.oneOf([
    random.oneOf(["string", "int32"]),
    ...kinds.map((kind) => random.maybeOneOf(kind) ?? "string"),
  ]);
}

/** Returns the types of a union as the value of `+ oneOf`. */
export function joinVariants(variants: readonly string[]): string {
  return [...new Set(variants)].join("|");
}

/** Draws unions in every form, and the structs that are their variants. */
export function drawUnions(random: Random): SketchType[] {
  const variants = random.shuffled(tagged).slice(0, 2 + random.below(2));
  return [
    tagOf("Round", "round|oval"),
    tagOf("Square", "square"),
    tagOf("Line", "line"),
    structOf("Dot", [fieldOf("x", "int32"), fieldOf("label?", "string")]),
    structOf("Edge", [fieldOf("y", "timestamp"), fieldOf("size?", "uint64")]),
    unionOf("Shape", variants, {
      tag: "kind",
      ...(random.chance(0.4) && { open: "true" }),
    }),
    unionOf("Mixed", drawMixed(random), {}),
    unionOf("Tree", ["string", "[]Tree"], {}),
    structOf("Deal", [
      fieldOf("id", "string"),
      fieldOf("code", "string"),
      fieldOf("data", "any", {
        oneOf: "dot:Dot|edge:Edge|none:null",
        tag: "code",
        ...(random.chance(0.3) && { open: "true" }),
      }),
    ]),
    structOf("Payment", [
      fieldOf("id?", "string"),
      fieldOf("card?", "Dot", { choice: "method" }),
      fieldOf("iban?", "string", { choice: "method" }),
      ...(random.chance(0.3)
        ? [fieldOf("amount?", "bigint", { choice: "method" })]
        : []),
    ]),
  ];
}

/** Draws variants of which each has another kind, or two objects. */
function drawMixed(random: Random): readonly string[] {
  const kinds = random.shuffled([
    ...[texts, numbers, lists, objects, ["bool"], ["null"]],
  ]);
  const chosen = kinds.slice(0, 2 + random.below(3));
  const drawn = chosen.map((kind) => random.maybeOneOf(kind) ?? "string");
  const hasBoth = drawn.includes("Dot") || drawn.includes("Edge");
  return hasBoth ? [...drawn, "Dot", "Edge"] : drawn;
}

function tagOf(name: string, values: string): SketchType {
  return structOf(name, [
    fieldOf("kind", "string", { enum: values }),
    fieldOf("at", "timestamp"),
    fieldOf("size?", "int64"),
  ]);
}

function structOf(name: string, fields: SketchField[]): SketchType {
  return { kind: "struct", name, fields };
}

function fieldOf(name: string, type: string, meta: Meta = {}): SketchField {
  const isOptional = name.endsWith("?");
  return { name: name.replace("?", ""), type, isOptional, meta };
}

function unionOf(
  name: string,
  variants: readonly string[],
  meta: Meta,
): SketchType {
  const oneOf = joinVariants(variants);
  return { kind: "alias", name, type: "any", meta: { oneOf, ...meta } };
}
