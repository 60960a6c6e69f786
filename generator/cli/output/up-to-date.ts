import { posix } from "node:path";
import type { OutputFile } from "../../4-emit/emitter.js";
import type { CliHost } from "../host.js";
import type { Project } from "../project/project.js";
import type { RecordingHost } from "../project/recording.js";
import type { Manifest } from "./manifest.js";
import {
  hashBytes,
  hashText,
  manifestName,
  parseManifest,
  printManifest,
} from "./manifest.js";

/** The manifest of the run before; null when there is none that can be read. */
export function readManifest(folder: string, host: CliHost): Manifest | null {
  const text = host.readText(posix.join(folder, manifestName));
  return text === null ? null : parseManifest(text);
}

/**
 * Whether a run would change nothing: same version, settings and documents,
 * and every output file still as it was written. Contents are compared, never
 * times, which git and copies do not keep.
 */
export function isUpToDate(
  project: Project,
  documents: RecordingHost,
  manifest: Manifest,
  folder: string,
  host: CliHost,
): boolean {
  const isSame = (text: string | null, hash: string): boolean =>
    text !== null && hashText(text) === hash;
  const isKept = (bytes: Uint8Array | null, hash: string): boolean =>
    bytes !== null && hashBytes(bytes) === hash;
  return (
    manifest.version === host.version &&
    manifest.settings === settingsOf(project) &&
    JSON.stringify(manifest.documents) === JSON.stringify(project.documents) &&
    [...manifest.inputs].every(([path, hash]) =>
      isSame(documents.read(path), hash),
    ) &&
    [...manifest.files].every(([path, hash]) =>
      isKept(host.readBytes(posix.join(folder, path)), hash),
    )
  );
}

/** The manifest that goes with files about to be written, as one of them. */
export function createManifestFile(
  files: readonly OutputFile[],
  project: Project,
  documents: RecordingHost,
  host: CliHost,
): OutputFile {
  const inputs = [...documents.reads].flatMap(
    ([path, text]): [string, string][] =>
      text === null ? [] : [[path, hashText(text)]],
  );
  const text = printManifest({
    version: host.version,
    settings: settingsOf(project),
    documents: project.documents,
    inputs: new Map(inputs),
    files: new Map(files.map(({ path, text }) => [path, hashText(text)])),
  });
  return { path: manifestName, text };
}

/**
 * Everything of the configuration that the output depends on, as JSON: also
 * which advice prevents it.
 */
function settingsOf({ config }: Project): string {
  const { int64, timestamp, runtime, importExtension, compat } = config.options;
  const forbidden = Object.entries(config.lint.rules)
    .filter(([, severity]) => severity === "error")
    .map(([code]) => code)
    .sort();
  return JSON.stringify({
    emit: config.emit,
    int64,
    timestamp,
    runtime,
    importExtension,
    compat,
    ...(forbidden.length > 0 && { forbidden }),
  });
}
