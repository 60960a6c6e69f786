import { loadOwnSets } from "../../4-emit/templates/own-sets.js";
import {
  type DocumentReader,
  loadDocuments,
  type LoadedDocuments,
} from "../../1-parse/load/load-documents.js";
import { compileDocuments } from "../../compile-documents.js";
import { lintContract } from "../../lint/index.js";
import { lintRules } from "../../lint/rules/index.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { System } from "../system/system.js";
import { writeDocuments } from "../output/write.js";
import { selectEntries } from "../../1-parse/load/select-entries.js";
import { fixDocuments } from "../project/fix-documents.js";
import type { RecordingReader } from "../project/recording-reader.js";
import { hasTemplates } from "../config/config.js";
import type { Project, ProjectFlags } from "../project/project.js";
import { foldAdvice } from "../report/fold-advice.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { hasErrors, report, say, type Format } from "../report/report.js";
import { exitCodes } from "../system/exit-codes.js";
import { withProject } from "./with-contract.js";

/** Flags of `ridl check`. */
export interface CheckFlags extends ProjectFlags {
  readonly fix?: boolean;
  /** Whether fixes that change the contract are also applied. */
  readonly fixAll?: boolean;
  /** Whether warnings also fail the command. */
  readonly strict?: boolean;
  /** Whether all findings are shown, not only the first few of each kind. */
  readonly all?: boolean;
  readonly format: Format;
}

/**
 * `ridl check`: reports errors, warnings and lint advice, and applies safe
 * fixes with `--fix`.
 */
export async function check(
  patterns: readonly string[],
  flags: CheckFlags,
  system: System,
): Promise<number> {
  const { all, fix, fixAll, format, strict } = flags;
  return withProject(
    patterns,
    flags,
    format,
    system,
    async (project, reader) => {
      const inspected =
        fix === true || fixAll === true
          ? fixAndInspect(project, reader, flags, system)
          : inspect(project, reader, loadDocuments(project.documents, reader));
      const { size } = reader.reads;
      const found = [
        ...inspected,
        ...(await inspectTemplates(project, reader)),
      ];
      const rebased = rebaseDiagnostics(found, project, system);
      report(rebased, format, system, all === true ? undefined : foldAdvice);
      const isFaulty =
        strict === true
          ? found.some(({ severity }) => severity !== "info")
          : hasErrors(found);
      if (isFaulty) return exitCodes.failure;
      const line = `${size} ${size === 1 ? "document" : "documents"} read`;
      say([line], format, system);
      return exitCodes.success;
    },
  );
}

/** Checks the templates of a project, if it has any. */
async function inspectTemplates(
  { config }: Project,
  reader: RecordingReader,
): Promise<readonly Diagnostic[]> {
  if (!hasTemplates(config)) return [];
  const { checkProjectTemplates } = await import("../project/template-sets.js");
  return checkProjectTemplates(config, reader, await loadOwnSets());
}

function inspect(
  { documents: listed, config }: Project,
  reader: DocumentReader,
  documents: LoadedDocuments,
): readonly Diagnostic[] {
  const entries = selectEntries(listed, documents);
  return compileDocuments(
    entries,
    documents,
    (checked) => lintContract(checked, config.lint, lintRules),
    reader,
  ).diagnostics;
}

function fixAndInspect(
  project: Project,
  reader: DocumentReader,
  flags: CheckFlags,
  system: System,
): readonly Diagnostic[] {
  const result = fixDocuments(
    project.documents,
    reader,
    (documents) => inspect(project, reader, documents),
    (fix) => flags.fixAll === true || fix.changesContract !== true,
  );
  writeDocuments(result.documents, project.root, system);
  const lines = result.documents.map(({ path }) => `fixed ${path}`);
  say(lines, flags.format, system);
  return result.diagnostics;
}
