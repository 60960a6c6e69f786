import type { Constraints, Field, TypeReference } from "../../ir/contract.js";
import { type Anchors, linkTo } from "./anchors.js";
import {
  docsCell,
  codeCell,
  markdownTable,
  markdownText,
} from "./markdown-text.js";

/** Prints a type in RIDL, with links to declared types. */
export function linkType(type: TypeReference, anchors: Anchors): string {
  switch (type.kind) {
    case "scalar":
      return type.name;
    case "list":
      return `\\[\\]${linkType(type.element, anchors)}`;
    case "map": {
      const key = linkType(type.key, anchors);
      return `map\\<${key}, ${linkType(type.value, anchors)}\\>`;
    }
    case "reference":
      return linkTo(type.name, anchors.types.get(type.name));
  }
}

/** Prints a table of the fields of a struct or a message. */
export function describeFields(
  fields: readonly Field[],
  anchors: Anchors,
): string {
  const rows = fields.map((field) => [
    codeCell(field.jsonName),
    linkType(field.type, anchors),
    field.isOptional ? "no" : "yes",
    [...listLimits(field.constraints), ...listNotes(field)].join(", "),
    docsCell(field.docs),
  ]);
  return markdownTable(
    ["Field", "Type", "Required", "Limits", "Description"],
    rows,
  );
}

/** Lists limits as code, e.g. `maxLength: 40`. */
export function listLimits(constraints: Constraints): readonly string[] {
  return Object.entries(constraints).map(([key, value]) =>
    codeCell(`${key}: ${String(value)}`),
  );
}

function listNotes({
  deprecated,
  isNullable,
  isSensitive,
}: Field): readonly string[] {
  const reason = markdownText(deprecated ?? "").replaceAll("\n", " ");
  return [
    ...(isNullable ? ["can be null"] : []),
    ...(isSensitive ? ["sensitive"] : []),
    ...(deprecated === null ? [] : [`deprecated${reason && `: ${reason}`}`]),
  ];
}
