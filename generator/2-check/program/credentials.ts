import type { AliasDeclaration } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { rememberEach } from "../../ir/remember.js";
import { findMetadata } from "../notation/metadata.js";
import { collectNodes } from "./nodes.js";
import type { Declared, Program } from "./program.js";

/** Returns the aliases that declare a credential. */
export function findCredentials({
  documents,
}: Program): readonly Declared<AliasDeclaration>[] {
  return documents.flatMap(credentialsOf);
}

const credentialsOf = rememberEach((document: LoadedDocument) =>
  collectNodes([document]).aliases.filter(({ syntax }) =>
    findMetadata(syntax, "header"),
  ),
);
