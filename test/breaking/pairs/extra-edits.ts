import type { Random } from "../../support/random.js";
import {
  drawExtra,
  drawExtraMap,
  drawLimits,
  drawType,
} from "./draw-sketch.js";
import type { Sketch, SketchField } from "./sketch.js";

type Edit = (sketch: Sketch, random: Random) => void;

/** Applies an edit to one of the structs. */
function onStruct(edit: (fields: SketchField[], random: Random) => void): Edit {
  return ({ types }, random) => {
    const structs = types.flatMap((type) =>
      type.kind === "struct" ? [type.fields] : [],
    );
    const fields = random.maybeOneOf(structs);
    if (fields) edit(fields, random);
  };
}

/** Applies an edit to one of the fields that collect extra members. */
function onExtra(
  edit: (field: SketchField, random: Random, siblings: SketchField[]) => void,
): Edit {
  return ({ types }, random) => {
    const found = types.flatMap((type) =>
      type.kind === "struct"
        ? type.fields
            .filter(({ meta }) => meta["extra"] === "true")
            .map((field) => ({ field, siblings: type.fields }))
        : [],
    );
    const one = random.maybeOneOf(found);
    if (one) edit(one.field, random, one.siblings);
  };
}

/** Edits of fields that collect extra members. */
export const extraEdits: readonly [Edit, ...Edit[]] = [
  onStruct((fields, random) => {
    fields.push(drawExtra(random));
  }),
  onExtra((field, _, siblings) => {
    siblings.splice(siblings.indexOf(field), 1);
  }),
  onExtra((field, random) => {
    field.type = drawExtraMap(random);
  }),
  onExtra((field, random) => {
    field.meta = { extra: "true", ...drawLimits(random, "map") };
  }),
  onExtra((field) => {
    field.isOptional = !field.isOptional;
  }),
  onExtra((field) => {
    field.name = "others";
  }),
  // The map becomes a member, or a member becomes the map.
  onExtra((field) => {
    delete field.meta["extra"];
  }),
  onStruct((fields, random) => {
    const maps = fields.filter(({ type }) => type.startsWith("map<string,"));
    const field = random.maybeOneOf(maps);
    if (field) field.meta = { extra: "true" };
  }),
  // A declared field leaves its member to the map, or takes it from there.
  onExtra((_, random, siblings) => {
    const others = siblings.filter(({ meta }) => meta["extra"] !== "true");
    const other = random.maybeOneOf(others);
    if (other) siblings.splice(siblings.indexOf(other), 1);
  }),
  onExtra((field, random, siblings) => {
    const type = field.type.replace(/^map<[^,]+,(.*)>$/u, "$1");
    siblings.push({
      name: random.oneOf(["x", "y"]),
      type: random.chance(0.5) ? type : drawType(random),
      isOptional: random.chance(0.6),
      meta: {},
    });
  }),
];
