import type { ClassDeclarationStructure } from "ts-morph";
import type { ImportedName } from "../imported-name.js";
import type { Statement } from "../statements.js";

/** A declaration as it is written: text, or what ts-morph prints. */
export type Written = string | ClassDeclarationStructure;

/** A kind of file, and how declarations are written in it. */
export interface Form {
  readonly ending: ".ts" | ".js" | ".d.ts";
  /** Whether a file of this kind has to import a name. */
  needs(name: ImportedName): boolean;
  /** Null for what such files do not have. */
  write(statement: Statement): Written | null;
}
