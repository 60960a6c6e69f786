import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { CliHost } from "../host.js";
import { writeChanges } from "../output/write.js";
import type { FixedDocument } from "../project/fix-documents.js";
import type { Project, ProjectFlags } from "../project/project.js";
import { openProject } from "../project/project.js";
import { createRecordingHost } from "../project/recording.js";
import type { RecordingHost } from "../project/recording.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import type { Format } from "../report/report.js";
import { hasErrors, report } from "../report/report.js";

/** Flags of `ridl check`. */
export interface CheckFlags extends ProjectFlags {
  readonly fix?: boolean;
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
  const documents = createRecordingHost(project.root, host);
  const run = flags.fix === true ? fixAndInspect : inspect;
  const found = await run(project, documents, flags, host);
  const { root } = project;
  const rebased = rebaseDiagnostics(found, root, host.workingFolder);
  const { foldAdvice } = await import("../report/fold-advice.js");
  const fold = flags.all === true ? undefined : foldAdvice;
  report(rebased, flags.format, host, fold);
  if (hasErrors(found)) return 1;
  const { size } = documents.reads;
  say(flags, host, [`${size} ${size === 1 ? "document" : "documents"} read`]);
  return 0;
}

async function inspect(
  { documents: listed, config }: Project,
  documents: RecordingHost,
): Promise<readonly Diagnostic[]> {
  const [{ compileContract }, { selectEntries }] = await loadStages();
  const entries = selectEntries(listed, documents);
  return compileContract(entries, documents, config.lint).diagnostics;
}

async function fixAndInspect(
  { documents: listed, config, root }: Project,
  documents: RecordingHost,
  flags: CheckFlags,
  host: CliHost,
): Promise<readonly Diagnostic[]> {
  const [{ compileContract }, { selectEntries }] = await loadStages();
  const { fixDocuments } = await import("../project/fix-documents.js");
  const result = fixDocuments(listed, documents, (drafts) => {
    const entries = selectEntries(listed, drafts);
    return compileContract(entries, drafts, config.lint).diagnostics;
  });
  const changes = result.documents.map(({ path, before, after }) => ({
    path,
    kind: "update" as const,
    text: after,
    current: before,
  }));
  writeChanges(changes, root, host);
  say(flags, host, result.documents.map(summarize));
  return result.diagnostics;
}

function loadStages(): Promise<
  [typeof import("../../compile.js"), typeof import("../project/entries.js")]
> {
  return Promise.all([
    import("../../compile.js"),
    import("../project/entries.js"),
  ]);
}

/** E.g. `fixed schema/api.ridl: not-portable (2), trailing-text`. */
function summarize({ path, codes }: FixedDocument): string {
  const counts = [...new Set(codes)].sort().map((code) => {
    const count = codes.filter((each) => each === code).length;
    return count === 1 ? code : `${code} (${count})`;
  });
  return `fixed ${path}: ${counts.join(", ")}`;
}

function say(
  { format }: CheckFlags,
  { stdout }: CliHost,
  lines: readonly string[],
): void {
  if (format !== "text" || !stdout.isTerminal) return;
  stdout.write(lines.map((line) => `${line}\n`).join(""));
}
