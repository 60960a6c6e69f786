import { suggestHelp } from "../../diagnostics/suggest.js";
import { importOpenapi } from "../../import/import-openapi.js";
import type { FileReader, FoundFile } from "../../import/read/library.js";
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
 * `ridl import`: turns an OpenAPI document into RIDL, and reports what RIDL
 * cannot say. Nothing is written after errors.
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
      suggestHelp(format, formats).help ?? "the format is openapi",
    );
  }
  const { workingFolder } = system;
  const file = resolvePath(workingFolder, input);
  const folder = parentOf(file);
  const name = pathFrom(folder, file);
  const plain = name.replace(/\.(?:ya?ml|json)$/iu, "");
  const out = resolvePath(workingFolder, flags.out ?? `${plain}.ridl`);
  const output = parentOf(out);
  if (flags.force !== true) refuseExisting([out], system);
  const { documents, diagnostics } = importOpenapi(
    name,
    createFileReader(folder, system),
    pathFrom(output, out).replace(/\.ridl$/iu, ""),
    flags.strict,
  );
  const found = renameSources(diagnostics, ({ path }) =>
    pathFrom(workingFolder, resolvePath(folder, path)),
  );
  const texts = hasErrors(found) ? [] : [...(documents ?? [])];
  const files = texts.map(([path, text], index) => ({
    place: index === 0 ? out : resolvePath(output, path),
    text,
  }));
  const places = files.map(({ place }) => place);
  if (flags.force !== true) refuseExisting(places, system);
  writeFiles(files, system);
  return conclude(found, flags.format, system, () =>
    places.map((place) => `wrote ${pathFrom(workingFolder, place)}`),
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
