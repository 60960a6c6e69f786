import type { EnumDeclaration, EnumMember } from "../../1-parse/ast.js";

/**
 * Returns the value of an enum member on the wire: its name in an integer enum,
 * and its value in a string enum.
 */
export function wireValueOf(
  { base }: EnumDeclaration,
  { name, value }: EnumMember,
): string {
  return base.text === "string" && value !== undefined ? value.text : name.text;
}

/** Lists the values of an enum on the wire. */
export function wireValuesOf(syntax: EnumDeclaration): readonly string[] {
  return syntax.members.map((member) => wireValueOf(syntax, member));
}
