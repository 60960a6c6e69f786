import { isFormPath } from "../../generator/1-parse/form-path.js";
import { isPrintable, printDocument } from "../../generator/1-parse/print.js";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { withLineBreaksOf } from "../../generator/source/line-breaks.js";
import type { Location, Source } from "../../generator/source/source.js";
import type { System } from "../system/system.js";
import { writeDocuments } from "../output/write.js";
import { pathFrom, resolvePath } from "../system/paths.js";
import { readDocument } from "../project/read-document.js";
import type { Project, ProjectFlags } from "../project/project.js";
import type { RecordingReader } from "../project/recording-reader.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { conclude, report, say, type Format } from "../report/report.js";
import { withProject } from "./with-contract.js";

/** Flags of `ridl fmt`. */
export interface FmtFlags extends ProjectFlags {
  readonly check?: boolean;
  readonly format: Format;
}

/** The result of formatting one document. */
interface Formatted {
  readonly source: Source;
  /** The formatted text, or null if the document cannot be formatted. */
  readonly text: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * `ridl fmt`: formats documents, or standard input to standard output for `-`.
 * Documents with errors, or with text that formatting would remove, are left
 * unchanged.
 */
export async function fmt(
  patterns: readonly string[],
  flags: FmtFlags,
  system: System,
): Promise<number> {
  return patterns.join() === "-"
    ? fmtInput(flags, system)
    : fmtFiles(patterns, flags, system);
}

async function fmtInput(flags: FmtFlags, system: System): Promise<number> {
  const source = { path: "<stdin>", text: await system.readInput() };
  const { text, diagnostics } = formatSource(source);
  if (text === null) {
    report(diagnostics, flags.format, system);
    return 1;
  }
  if (flags.check === true) {
    if (text === source.text) return 0;
    report([reportUnformatted({ source })], flags.format, system);
    return 1;
  }
  system.stdout.write(text);
  return 0;
}

async function fmtFiles(
  patterns: readonly string[],
  flags: FmtFlags,
  system: System,
): Promise<number> {
  const { check, format } = flags;
  return withProject(patterns, flags, format, system, (project, reader) => {
    const results = formatFiles(project, reader, system);
    const unformatted = results.filter(
      ({ source, text }) => text !== null && text !== source.text,
    );
    const found = [
      ...results.flatMap(({ text, diagnostics }) =>
        text === null ? diagnostics : [],
      ),
      ...(check === true ? unformatted.map(reportUnformatted) : []),
    ];
    if (check !== true) writeAll(unformatted, flags, system);
    return conclude(found, format, system, () =>
      unformatted.length === 0 ? ["nothing changed"] : [],
    );
  });
}

/** Formats only RIDL, because JSON and YAML have their own formatters. */
function formatFiles(
  project: Project,
  { locationOf }: RecordingReader,
  system: System,
): Formatted[] {
  return project.documents.flatMap((document) => {
    const absolute = resolvePath(project.root, document);
    const path = pathFrom(system.workingFolder, absolute);
    const text = readDocument(absolute, system);
    if (text !== null) {
      return isFormPath(document) ? [] : formatSource({ path, text });
    }
    const missing = reportMissing(path, locationOf(document));
    const diagnostics = rebaseDiagnostics([missing], project, system);
    return { source: { path, text: "" }, text: null, diagnostics };
  });
}

function reportMissing(path: string, location: Location | null): Diagnostic {
  return {
    code: "missing-file",
    severity: "error",
    message: `there is no document \`${path}\``,
    ...(location && { location }),
  };
}

function formatSource(source: Source): Formatted {
  const { value, diagnostics } = parseDocument(source);
  if (!isPrintable(diagnostics)) return { source, text: null, diagnostics };
  const text = withLineBreaksOf(source.text, printDocument(value));
  return { source, text, diagnostics };
}

function reportUnformatted({ source }: Pick<Formatted, "source">): Diagnostic {
  return {
    code: "unformatted",
    severity: "error",
    message: `\`${source.path}\` is not formatted`,
    help: "run `ridl fmt`",
  };
}

function writeAll(
  results: readonly Formatted[],
  flags: FmtFlags,
  system: System,
): void {
  const documents = results.flatMap(
    ({ source: { path, text }, text: after }) =>
      after === null ? [] : { path, before: text, after },
  );
  writeDocuments(documents, system.workingFolder, system);
  const lines = results.map(({ source }) => `formatted ${source.path}`);
  say(lines, flags.format, system);
}
