import {
  type DocumentReader,
  loadDocuments,
  type LoadedDocuments,
} from "../../1-parse/load/load-documents.js";
import { compileDocuments } from "../../compile.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { System } from "../system/system.js";
import { writeDocuments } from "../output/write.js";
import { selectEntries } from "../project/entries.js";
import { type FixedDocument, fixDocuments } from "../project/fix-documents.js";
import type { Project, ProjectFlags } from "../project/project.js";
import { openProject } from "../project/project.js";
import { createRecordingReader } from "../project/recording-reader.js";
import { foldAdvice } from "../report/fold-advice.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import type { Format } from "../report/report.js";
import { hasErrors, report } from "../report/report.js";
import { say } from "../report/say.js";

/** Flags of `ridl check`. */
export interface CheckFlags extends ProjectFlags {
  readonly fix?: boolean;
  /** Whether repairs that change the contract are made, too. */
  readonly fixAll?: boolean;
  /** Whether warnings fail the command, too. */
  readonly strict?: boolean;
  /** Whether people see every finding, however many there are of a kind. */
  readonly all?: boolean;
  readonly format: Format;
}

/**
 * `ridl check`: everything that there is to say about the documents, advice of
 * the lint rules included; with `--fix`, what can be repaired safely is.
 * Output: the exit code.
 */
export async function check(
  patterns: readonly string[],
  flags: CheckFlags,
  system: System,
): Promise<number> {
  const { value: project, diagnostics } = await openProject(
    patterns,
    flags,
    system,
  );
  if (project === null || hasErrors(diagnostics)) {
    report(diagnostics, flags.format, system);
    return 1;
  }
  const reader = createRecordingReader(project, system);
  const found =
    flags.fix === true || flags.fixAll === true
      ? fixAndInspect(project, reader, flags, system)
      : inspect(project, loadDocuments(project.documents, reader));
  const { root } = project;
  const rebased = rebaseDiagnostics(found, root, system.workingFolder);
  const fold = flags.all === true ? undefined : foldAdvice;
  report(rebased, flags.format, system, fold);
  const isFaulty =
    flags.strict === true
      ? found.some(({ severity }) => severity !== "info")
      : hasErrors(found);
  if (isFaulty) return 1;
  const { size } = reader.reads;
  const line = `${size} ${size === 1 ? "document" : "documents"} read`;
  say([line], flags.format, system);
  return 0;
}

function inspect(
  { documents: listed, config }: Project,
  documents: LoadedDocuments,
): readonly Diagnostic[] {
  const entries = selectEntries(listed, documents);
  return compileDocuments(entries, documents, config.lint).diagnostics;
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
    (documents) => inspect(project, documents),
    (fix) => flags.fixAll === true || fix.changesContract !== true,
  );
  writeDocuments(result.documents, project.root, system);
  say(result.documents.map(summarize), flags.format, system);
  return result.diagnostics;
}

/** E.g. `fixed schema/api.ridl: not-portable (2), trailing-text`. */
function summarize({ path, codes }: FixedDocument): string {
  const counts = [...new Set(codes)].sort().map((code) => {
    const count = codes.filter((each) => each === code).length;
    return count === 1 ? code : `${code} (${count})`;
  });
  return `fixed ${path}: ${counts.join(", ")}`;
}
