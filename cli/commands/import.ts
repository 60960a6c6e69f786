import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import { importJsonSchema } from "../../tools/import/import-json-schema.js";
import {
  type Imported,
  importOpenapi,
} from "../../tools/import/import-openapi.js";
import type {
  FileReader,
  FoundFile,
} from "../../tools/import/read/document-files.js";
import { importTrpc } from "../../tools/import/trpc/import-trpc.js";
import {
  isDiagnostic,
  loadRouter,
  packageLoader,
  sourceOf,
  splitExport,
} from "../project/load-router.js";
import { configFileName } from "../config/config.js";
import { findUnlisted, hasConfig } from "../project/project.js";
import { loadTypes } from "../project/router-types.js";
import { withProgress } from "../report/progress.js";
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
  readonly export?: string;
  readonly strict?: boolean;
  readonly force?: boolean;
  readonly format: Format;
}

/** A larger file would not fit into memory as a tree. */
const maxBytes = 64 * 1024 * 1024;
/** YAML takes ten times the memory of JSON. */
const maxYamlBytes = 16 * 1024 * 1024;

const formats = ["json-schema", "openapi", "trpc"];

/**
 * `ridl import`: turns an OpenAPI document, a JSON Schema or a router of tRPC
 * into RIDL, or updates the RIDL that an earlier import wrote, and reports what
 * RIDL cannot say. Nothing is written after errors.
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
      suggestHelp(format, formats).help ??
        "the formats are json-schema, openapi and trpc",
    );
  }
  if (format === "trpc") return importRouter(input, flags, system);
  if (flags.export !== undefined) {
    throw new UsageError("only a router of tRPC has exports");
  }
  const { workingFolder } = system;
  const file = resolvePath(workingFolder, input);
  const folder = parentOf(file);
  const name = pathFrom(folder, file);
  const plain = name.replace(/\.(?:ya?ml|json)$/iu, "");
  return update(plain, flags, system, (stem) => {
    const read = createFileReader(folder, system);
    const importFrom = format === "openapi" ? importOpenapi : importJsonSchema;
    const imported = importFrom(name, read, stem, flags.strict);
    const diagnostics = renameSources(imported.diagnostics, ({ path }) =>
      pathFrom(workingFolder, resolvePath(folder, path)),
    );
    return { ...imported, diagnostics };
  });
}

/** `ridl import trpc`: loads a module of the project and reads its router. */
async function importRouter(
  input: string,
  flags: ImportFlags,
  system: System,
): Promise<number> {
  const { path, name } = splitExport(input, flags.export);
  const file = resolvePath(system.workingFolder, path);
  const text = system.readText(file);
  if (text === null) throw new UsageError(`\`${path}\` does not exist`);
  const plain = pathFrom(parentOf(file), file).replace(/\.[cm]?[jt]sx?$/iu, "");
  return update(plain, flags, system, async (stem) => {
    const source = sourceOf(file, text, system);
    const router = await loadRouter({ file, name, source }, system);
    if (isDiagnostic(router)) return { documents: null, diagnostics: [router] };
    const load = packageLoader(file, system);
    const types = loadTypes(router, file, system);
    return importTrpc(router, { source, load, types }, stem, flags.strict);
  });
}

/**
 * Writes the documents of an import, or updates those of an earlier one, and
 * prints all notes. Input: the name of the document, unless the flags have one.
 */
async function update(
  name: string,
  { force, format, out, strict }: ImportFlags,
  system: System,
  run: (stem: string) => Imported | Promise<Imported>,
): Promise<number> {
  const place = resolvePath(system.workingFolder, out ?? `${name}.ridl`);
  const target = new ImportTarget(place, system);
  const last = force === true ? null : target.readLast();
  if (last !== null && "fault" in last) {
    return conclude([last.fault], format, system);
  }
  const { diagnostics, documents } = await withProgress(
    `importing ${target.stem}`,
    system,
    () => run(target.stem),
  );
  if (documents === null || hasErrors(diagnostics)) {
    return conclude(diagnostics, format, system);
  }
  const planned =
    last === null
      ? target.planNew(documents, force === true)
      : target.planUpdate(last.documents, documents, strict === true);
  const found = [...diagnostics, ...planned.diagnostics];
  if (hasErrors(found)) return conclude(found, format, system);
  writeFiles(planned.changes, target.folder, system);
  const documentPaths = planned.changes
    .filter(({ kind, path }) => kind !== "remove" && path.endsWith(".ridl"))
    .map(({ path }) =>
      pathFrom(system.workingFolder, resolvePath(target.folder, path)),
    );
  const steps = last === null ? await addToProject(documentPaths, system) : [];
  return conclude(found, format, system, () => [
    ...describeChanges(planned.changes, target, system, last === null),
    ...steps,
  ]);
}

/**
 * Writes a configuration if there is none, so that `ridl generate` finds the
 * documents. Returns what was written, and what to do next.
 */
async function addToProject(
  documents: readonly string[],
  system: System,
): Promise<readonly string[]> {
  const { workingFolder } = system;
  if (hasConfig(workingFolder, system)) {
    const unlisted = await findUnlisted(documents, system);
    const condition = `, with ${unlisted.join(", ")} in \`schema\` of ${configFileName}`;
    return [`next: ridl generate${unlisted.length === 0 ? "" : condition}`];
  }
  const lines = documents.map((path) => `  - ${JSON.stringify(path)}\n`);
  const text = `schema:\n${lines.join("")}out: generated\n`;
  const file = { path: configFileName, text, current: null };
  writeFiles([{ ...file, kind: "create" }], workingFolder, system);
  return [`wrote ${configFileName}`, "next: ridl generate"];
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
    const verb = isFirst && kind !== "remove" ? "wrote" : verbs[kind];
    return `${verb} ${place}`;
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
