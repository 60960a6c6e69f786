import { suggestHelp } from "../../diagnostics/suggest.js";
import { importOpenapi } from "../../import/import-openapi.js";
import type { FileReader, FoundFile } from "../../import/read/library.js";
import { conclude, type Format, hasErrors } from "../report/report.js";
import { renameSources } from "../report/rebase.js";
import type { FileChange } from "../output/changes.js";
import { ImportTarget } from "../output/import-target.js";
import { writeFiles } from "../output/write.js";
import {
  type AbsolutePath,
  contains,
  parentOf,
  pathFrom,
  resolvePath,
} from "../system/paths.js";
import { FileError, type System, UsageError } from "../system/system.js";

/** Flags of `ridl import`. */
export interface ImportFlags {
  readonly out?: string;
  readonly strict?: boolean;
  readonly force?: boolean;
  readonly format: Format;
}

/** A larger file would not fit into memory as a tree. */
const maxBytes = 64 * 1024 * 1024;
/** YAML takes ten times the memory of JSON. */
const maxYamlBytes = 16 * 1024 * 1024;

const formats = ["openapi"];

/**
 * `ridl import`: turns an OpenAPI document into RIDL, or updates the RIDL that
 * an earlier import wrote, and reports what RIDL cannot say. Nothing is written
 * after errors.
 *
 * Errors: a {@link UsageError} for an unknown format, or if the output exists
 * and no import wrote it.
 */
export async function importDocument(
  [format = "", input = ""]: readonly string[],
  flags: ImportFlags,
  system: System,
): Promise<number> {
  if (!formats.includes(format)) {
    throw new UsageError(
      `there is no format \`${format}\``,
      suggestHelp(format, formats).help ?? "the format is openapi",
    );
  }
  const { workingFolder } = system;
  const file = resolvePath(workingFolder, input);
  const folder = parentOf(file);
  const name = pathFrom(folder, file);
  const plain = name.replace(/\.(?:ya?ml|json)$/iu, "");
  const out = resolvePath(workingFolder, flags.out ?? `${plain}.ridl`);
  const target = new ImportTarget(out, system);
  const last = flags.force === true ? null : target.readLast();
  if (last !== null && "fault" in last) {
    return conclude([last.fault], flags.format, system);
  }
  const { documents, diagnostics } = importOpenapi(
    name,
    createFileReader(folder, system),
    target.stem,
    flags.strict,
  );
  const notes = renameSources(diagnostics, ({ path }) =>
    pathFrom(workingFolder, resolvePath(folder, path)),
  );
  if (documents === null || hasErrors(notes)) {
    return conclude(notes, flags.format, system);
  }
  const planned =
    last === null
      ? target.planNew(documents, flags.force === true)
      : target.planUpdate(last.documents, documents, flags.strict === true);
  const found = [...notes, ...planned.diagnostics];
  if (!hasErrors(found)) writeFiles(planned.changes, target.folder, system);
  return conclude(found, flags.format, system, () =>
    describeChanges(planned.changes, target, system, last === null),
  );
}

const verbs = {
  create: "wrote",
  update: "updated",
  keep: "kept",
  remove: "removed",
} as const satisfies Record<FileChange["kind"], string>;

function describeChanges(
  changes: readonly FileChange[],
  { folder }: ImportTarget,
  { workingFolder }: System,
  isFirst: boolean,
): readonly string[] {
  if (changes.length === 0) return ["nothing changed"];
  return changes.map(({ kind, path }) => {
    const place = pathFrom(workingFolder, resolvePath(folder, path));
    return `${isFirst ? "wrote" : verbs[kind]} ${place}`;
  });
}

/** Reads files below a folder. A link must not lead out of it either. */
function createFileReader(folder: AbsolutePath, system: System): FileReader {
  const real = system.realPath(folder);
  return (path): FoundFile => {
    const place = resolvePath(folder, path);
    return contains(real, system.realPath(place))
      ? readFile(place, system)
      : { fault: "it is a link that leads outside the folder" };
  };
}

function readFile(place: AbsolutePath, system: System): FoundFile {
  try {
    const bytes = system.readBytes(place);
    if (bytes === null) return { fault: "it does not exist" };
    const isJson = /^[\s\ufeff]*[[{]/u.test(
      new TextDecoder().decode(bytes.subarray(0, 100)),
    );
    const most = isJson ? maxBytes : maxYamlBytes;
    if (bytes.length > most) {
      return { fault: `it is larger than ${most / 1024 / 1024} MB` };
    }
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        bytes,
      ),
    };
  } catch (error) {
    if (error instanceof FileError) return { fault: error.reason };
    if (error instanceof TypeError) return { fault: "it is not UTF-8 text" };
    throw error;
  }
}
