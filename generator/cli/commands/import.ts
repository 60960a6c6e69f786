import { suggestHelp } from "../../diagnostics/suggest.js";
import { type Imported, importOpenapi } from "../../import/import-openapi.js";
import type { FileReader, FoundFile } from "../../import/read/library.js";
import { importTrpc } from "../../import/trpc/import-trpc.js";
import {
  isDiagnostic,
  loadRouter,
  packageLoader,
  sourceOf,
  splitExport,
} from "../project/load-router.js";
import { conclude, type Format, hasErrors } from "../report/report.js";
import { renameSources } from "../report/rebase.js";
import { writeDocuments } from "../output/write.js";
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

const formats = ["openapi", "trpc"];

/**
 * `ridl import`: turns an OpenAPI document or a router of tRPC into RIDL, and
 * reports what RIDL cannot say. Nothing is written after errors.
 *
 * Errors: a {@link UsageError} for an unknown format, or if the output exists.
 */
export async function importDocument(
  [format = "", input = ""]: readonly string[],
  flags: ImportFlags,
  system: System,
): Promise<number> {
  if (!formats.includes(format)) {
    throw new UsageError(
      `there is no format \`${format}\``,
      suggestHelp(format, formats).help ?? "the formats are openapi and trpc",
    );
  }
  if (format === "trpc") return importRouter(input, flags, system);
  if (flags.export !== undefined) {
    throw new UsageError("an OpenAPI document has no exports");
  }
  const { workingFolder } = system;
  const file = resolvePath(workingFolder, input);
  const folder = parentOf(file);
  const name = pathFrom(folder, file);
  const out = outputOf(name.replace(/\.(?:ya?ml|json)$/iu, ""), flags, system);
  const read = createFileReader(folder, system);
  const imported = importOpenapi(name, read, stemOf(out), flags.strict);
  const diagnostics = renameSources(imported.diagnostics, ({ path }) =>
    pathFrom(workingFolder, resolvePath(folder, path)),
  );
  return finish({ ...imported, diagnostics }, out, flags, system);
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
  const out = outputOf(plain, flags, system);
  const source = sourceOf(file, text, system);
  const router = await loadRouter({ file, name, source }, system);
  const load = packageLoader(file, system);
  const imported = isDiagnostic(router)
    ? { documents: null, diagnostics: [router] }
    : importTrpc(router, { source, load }, stemOf(out), flags.strict);
  return finish(imported, out, flags, system);
}

/** Returns the document to write, which must not exist. */
function outputOf(
  name: string,
  { out: written, force }: ImportFlags,
  system: System,
): AbsolutePath {
  const out = resolvePath(system.workingFolder, written ?? `${name}.ridl`);
  if (force !== true) refuseExisting([out], system);
  return out;
}

function stemOf(out: AbsolutePath): string {
  return pathFrom(parentOf(out), out).replace(/\.ridl$/iu, "");
}

/** Writes the documents of an import, and prints its notes. */
function finish(
  { documents, diagnostics }: Imported,
  out: AbsolutePath,
  { force, format }: ImportFlags,
  system: System,
): number {
  const texts = hasErrors(diagnostics) ? [] : [...(documents ?? [])];
  const files = texts.map(([path, text], index) => ({
    place: index === 0 ? out : resolvePath(parentOf(out), path),
    text,
  }));
  const places = files.map(({ place }) => place);
  if (force !== true) refuseExisting(places, system);
  writeFiles(files, system);
  return conclude(diagnostics, format, system, () =>
    places.map((place) => `wrote ${pathFrom(system.workingFolder, place)}`),
  );
}

function refuseExisting(places: readonly AbsolutePath[], system: System): void {
  const existing = places.find((place) => system.readText(place) !== null);
  if (existing === undefined) return;
  throw new UsageError(
    `\`${pathFrom(system.workingFolder, existing)}\` already exists`,
    "replace it with `--force`, or choose another file with `--out`",
  );
}

function writeFiles(
  files: readonly { readonly place: AbsolutePath; readonly text: string }[],
  system: System,
): void {
  const { workingFolder } = system;
  const changes = files.flatMap(({ place, text }) => {
    const before = system.readText(place);
    const path = pathFrom(workingFolder, place);
    return before === null ? [] : [{ path, before, after: text }];
  });
  const replaced = new Set(changes.map(({ path }) => path));
  writeDocuments(changes, workingFolder, system);
  for (const { place, text } of files) {
    if (!replaced.has(pathFrom(workingFolder, place)))
      system.createText(place, text);
  }
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
