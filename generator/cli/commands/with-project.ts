import { openProject, type Project } from "../project/project.js";
import type { ProjectFlags } from "../project/project.js";
import {
  createRecordingReader,
  type RecordingReader,
} from "../project/recording-reader.js";
import { conclude, hasErrors, type Format } from "../report/report.js";
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
