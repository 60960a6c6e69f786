import type { AliasDeclaration } from "../../1-parse/ast.js";
import { findMetadata } from "../notation/metadata.js";
import type { Declared, Program } from "./program.js";

/** Returns the aliases that declare a credential. */
export function findCredentials({
  nodes,
}: Program): readonly Declared<AliasDeclaration>[] {
  return nodes.aliases.filter(({ syntax }) => findMetadata(syntax, "header"));
}
