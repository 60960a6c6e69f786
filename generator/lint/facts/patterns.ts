import type { Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findMetadata } from "../../2-check/notation/metadata.js";
import type { Program } from "../../2-check/program/program.js";
import { followType } from "./type-places.js";

/** A `+ pattern = …` line. */
export interface PatternLine {
  /** The expression. */
  readonly at: Word;
  readonly document: LoadedDocument;
  /** The name of its declaration. */
  readonly name: Word;
  /**
   * The smallest `maxLength` that applies to it, or `Infinity` if there is
   * none.
   */
  readonly maxLength: number;
}

/** Returns every pattern of a program, with the maximum length of its input. */
export function findPatterns(program: Program): readonly PatternLine[] {
  const { aliases, fields } = program.nodes;
  return [...aliases, ...fields].flatMap(({ syntax, document }) => {
    const at = findMetadata(syntax, "pattern")?.value;
    if (at === undefined) return [];
    const { limits } = followType(program, document, syntax).innermost;
    const maxLength = limits.get("maxLength") ?? Infinity;
    return [{ at, document, name: syntax.name, maxLength }];
  });
}
