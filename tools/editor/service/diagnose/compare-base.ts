import { loadDocuments } from "../../../../generator/1-parse/load/load-documents.js";
import { selectEntries } from "../../../../generator/1-parse/load/select-entries.js";
import { checkContract } from "../../../../generator/2-check/index.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import {
  type BreakingFinding,
  reportChanges,
} from "../../../breaking/index.js";
import { remember, rememberEach } from "../../../../generator/ir/remember.js";
import type { BaseContract } from "../model/settings.js";

/**
 * Creates a function that finds changes since an earlier version. It finds none
 * if that version has errors. Input: a program without errors.
 */
export function createCompareBase(): (
  program: Program,
  base: BaseContract,
) => readonly BreakingFinding[] {
  const checkBase = rememberEach(({ entries, reader }: BaseContract) => {
    const documents = loadDocuments(entries, reader);
    return checkContract(selectEntries(entries, documents), documents);
  });
  return remember((program: Program, base: BaseContract) => {
    const { value, diagnostics } = checkBase(base);
    const isFaulty = diagnostics.some(({ severity }) => severity === "error");
    return isFaulty ? [] : reportChanges(value, program, base.options);
  });
}
