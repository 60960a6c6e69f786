import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { withoutAdvice } from "../../generator/lint/lint-options.js";
import { type AbsolutePath, pathFrom, resolvePath } from "../system/paths.js";
import type { System } from "../system/system.js";
import { activeFilter } from "../project/apply-filter.js";
import type { Project } from "../project/project.js";
import {
  listTemplates,
  type RecordingReader,
} from "../project/recording-reader.js";
import {
  type GeneratedFiles,
  type Manifest,
  hasHash,
  hashText,
  manifestName,
  nearestConfig,
  parseManifest,
  printManifest,
} from "../project/manifest.js";

/** Reads the previous manifest. Returns null if it is missing or invalid. */
export function readManifest(
  folder: AbsolutePath,
  system: Pick<System, "readText">,
): Manifest | null {
  const text = system.readText(resolvePath(folder, manifestName));
  return text === null ? null : parseManifest(text);
}

/**
 * Finds inputs that changed since the manifest was written. Contents are
 * compared, because git and copies do not preserve times.
 *
 * `isKept` says whether a file still has the given hash. Returns the paths of
 * the changed inputs, or null if the command, the version, the settings or the
 * list of documents differ.
 */
export function findChanged(
  project: Project,
  isKept: (path: string, hash: string) => boolean,
  manifest: Manifest,
  system: Pick<System, "version">,
): readonly string[] | null {
  const isSame =
    manifest.command === "generate" &&
    manifest.version === system.version &&
    manifest.settings === settingsOf(project) &&
    JSON.stringify(manifest.documents) === JSON.stringify(project.documents);
  if (!isSame) return null;
  return [...manifest.inputs].flatMap(([path, hash]) =>
    isKept(path, hash) ? [] : path,
  );
}

/**
 * Whether the files at these paths in a folder still have these hashes. A path
 * that ends with `/` is a folder with templates.
 */
export function areUnchanged(
  hashes: ReadonlyMap<string, string>,
  folder: AbsolutePath,
  system: Pick<System, "listFolder" | "readBytes">,
): boolean {
  return [...hashes].every(([path, hash]) => {
    if (path.endsWith("/")) {
      const names = listTemplates(resolvePath(folder, path), system);
      return names !== null && hashText(names) === hash;
    }
    const bytes = system.readBytes(resolvePath(folder, path));
    return bytes !== null && hasHash(bytes, hash);
  });
}

/** Creates the manifest of files that are about to be written. */
export function createManifestFile(
  command: Manifest["command"],
  { files, kept, separateHosts }: GeneratedFiles,
  project: Project,
  documents: RecordingReader,
  system: System,
): OutputFile {
  const inputs = [...documents.reads].flatMap(
    ([path, text]): [string, string][] =>
      text === null ? [] : [[path, hashText(text)]],
  );
  const written = files.map(({ path, text }): [string, string] => [
    path,
    hashText(text),
  ]);
  const text = printManifest({
    command,
    config: pathToConfig(project),
    version: system.version,
    settings: settingsOf(project),
    schema: project.config.schema.map(({ pattern }) => pattern),
    documents: project.documents,
    inputs: new Map(inputs),
    files: new Map([...kept, ...written]),
    separateHosts,
  });
  return { path: manifestName, text };
}

/** Returns the path from the output folder to the configuration. */
function pathToConfig({ config, configPath, root }: Project): string {
  return configPath === null
    ? nearestConfig
    : pathFrom(resolvePath(root, config.out), resolvePath(root, configPath));
}

/** Returns the settings that the output depends on, as JSON. */
function settingsOf({ config }: Project): string {
  const forbidden = Object.entries(withoutAdvice(config.lint).rules)
    .map(([code, severity]) =>
      severity === "error" ? code : `${code}: ${severity}`,
    )
    .sort();
  const filter = activeFilter(config.filter);
  return JSON.stringify({
    emit: [
      ...config.targets,
      ...config.emitterModules.map(({ name, options }) => ({
        name,
        setting: options,
      })),
    ].map(({ name, setting }) =>
      setting === undefined ? name : { [name]: setting },
    ),
    ...config.options,
    // Maps contain paths from the output folder to the documents.
    ...(config.templates && { templates: config.templates.path }),
    ...(config.declarationMaps && { declarationMaps: config.out }),
    ...(forbidden.length > 0 && { forbidden, words: config.lint.words }),
    ...(filter && { filter }),
    ...(config.skew && { skew: config.skew }),
  });
}
