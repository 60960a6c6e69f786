import type { CliHost } from "../host.js";
import type { ProjectFlags } from "../project/project.js";
import { openProject } from "../project/project.js";
import { createRecordingHost } from "../project/recording.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import type { Format } from "../report/report.js";
import { hasErrors, report } from "../report/report.js";

/** Flags of `ridl check`. */
export interface CheckFlags extends ProjectFlags {
  readonly format: Format;
}

/**
 * `ridl check`: everything that `ridl generate` would say about the documents,
 * without generating. Output: the exit code.
 */
export async function check(
  patterns: readonly string[],
  flags: CheckFlags,
  host: CliHost,
): Promise<number> {
  const { value: project, diagnostics } = await openProject(
    patterns,
    flags,
    host,
  );
  if (project === null || hasErrors(diagnostics)) {
    report(diagnostics, flags.format, host);
    return 1;
  }
  const [{ compileContract }, { selectEntries }] = await Promise.all([
    import("../../compile.js"),
    import("../project/entries.js"),
  ]);
  const documents = createRecordingHost(project.root, host);
  const entries = selectEntries(project.documents, documents);
  const found = rebaseDiagnostics(
    compileContract(entries, documents).diagnostics,
    project.root,
    host.workingFolder,
  );
  report(found, flags.format, host);
  if (hasErrors(found)) return 1;
  if (flags.format === "text" && host.stdout.isTerminal) {
    const { size } = documents.reads;
    host.stdout.write(
      `${size} ${size === 1 ? "document" : "documents"} read\n`,
    );
  }
  return 0;
}
