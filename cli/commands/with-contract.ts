import type { CheckedContract } from "../../generator/2-check/index.js";
import { compileDocuments } from "../../generator/compile-documents.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import type { Contract } from "../../generator/ir/contract.js";
import { applyFilter } from "../project/apply-filter.js";
import { lintErrors } from "../project/compile-project.js";
import { loadEntries } from "../../generator/1-parse/load/select-entries.js";
import {
  type Project,
  type ProjectFlags,
  openProject,
} from "../project/project.js";
import {
  type RecordingReader,
  createRecordingReader,
} from "../project/recording-reader.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { conclude, type Format, hasErrors } from "../report/report.js";
import type { System } from "../system/system.js";

/** Runs a command on a project, or reports its errors. */
export async function withProject(
  patterns: readonly string[],
  flags: ProjectFlags,
  format: Format,
  system: System,
  run: (project: Project, reader: RecordingReader) => number | Promise<number>,
): Promise<number> {
  const { value, diagnostics } = await openProject(patterns, flags, system);
  return value === null || hasErrors(diagnostics)
    ? conclude(diagnostics, format, system)
    : run(value, createRecordingReader(value, system));
}

/** A contract that a command works on. */
export interface OpenedContract {
  readonly contract: Contract;
  /** The contract before the filter. */
  readonly whole: Contract;
  /** The checked documents, including the parts that the filter excludes. */
  readonly checked: CheckedContract;
  readonly project: Project;
  readonly reader: RecordingReader;
  /** Warnings that the command has to report. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Runs a command on the filtered contract of a project, or reports errors. With
 * `isLinted`, violations of lint rules that are set to `error` are errors, too.
 */
export async function withContract(
  patterns: readonly string[],
  flags: ProjectFlags,
  format: Format,
  system: System,
  run: (opened: OpenedContract) => number | Promise<number>,
  isLinted = false,
): Promise<number> {
  return withProject(
    patterns,
    flags,
    format,
    system,
    async (project, reader) => {
      const { entries, documents } = loadEntries(project.documents, reader);
      const { value, diagnostics, checked } = compileDocuments(
        entries,
        documents,
        isLinted ? await lintErrors(project.config) : undefined,
        reader,
      );
      const filtered = value && applyFilter(value, project.config);
      const found = rebaseDiagnostics(
        [...diagnostics, ...(filtered?.diagnostics ?? [])],
        project,
        system,
      );
      return value && filtered?.value
        ? run({
            contract: filtered.value,
            whole: value,
            checked,
            project,
            reader,
            diagnostics: found,
          })
        : conclude(found, format, system);
    },
  );
}
