import type { Alias, Enum, TypeDeclaration } from "../../ir/contract.js";
import { type Anchors, linkTo } from "./anchors.js";
import { describeFields, linkType, listLimits } from "./fields.js";
import { docsCell, markdownDocs } from "./markdown-docs.js";
import { codeCell, markdownTable, markdownText } from "./markdown-text.js";

/** Returns paragraphs about a declared type. */
export function describeType(
  type: TypeDeclaration,
  anchors: Anchors,
): readonly string[] {
  return [
    `### ${markdownText(type.name)}`,
    markdownDocs(type.docs),
    describeShape(type, anchors),
  ];
}

function describeShape(type: TypeDeclaration, anchors: Anchors): string {
  switch (type.kind) {
    case "struct":
      return type.fields.length === 0
        ? "An object without fields."
        : describeFields(type.fields, anchors);
    case "enum":
      return describeEnum(type);
    case "alias":
      return describeAlias(type, anchors);
  }
}

function describeEnum({ members }: Enum): string {
  const rows = members.map(({ docs, jsonValue }) => [
    codeCell(jsonValue),
    docsCell(docs),
  ]);
  return rows.length === 0
    ? "An enum without values."
    : markdownTable(["Value", "Description"], rows);
}

function describeAlias(
  { acceptsInteger, constraints, known, type }: Alias,
  anchors: Anchors,
): string {
  const limits = listLimits(constraints).join(", ");
  const sentences = [
    `Type: ${linkType(type, anchors)}.`,
    limits === "" ? "" : `Limits: ${limits}.`,
    acceptsInteger ? "In requests, an integer is also accepted." : "",
    known === null
      ? ""
      : `Known values: ${linkTo(known, anchors.types.get(known))}. Other values are possible.`,
  ];
  return sentences.filter((text) => text !== "").join(" ");
}
