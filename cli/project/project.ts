import { posix } from "node:path/posix";
import type {
  Diagnostic,
  Diagnosed,
} from "../../generator/diagnostics/diagnostic.js";
import {
  type Config,
  type FilterConfig,
  type FilterEntry,
  type Unused,
  configFileName,
  defaultConfig,
} from "../config/config.js";
import { type System, FileError, UsageError } from "../system/system.js";
import type { explorerFolder as writtenFolder } from "../../generator/4-emit/docs/explorer-data.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { expandPattern, type GlobResult } from "./glob.js";
import { manifestName, parseManifest } from "./manifest.js";
import { locatePackages } from "./packages.js";
import {
  type AbsolutePath,
  parentOf,
  pathFrom,
  rebasePath,
  resolvePath,
  withSlashes,
} from "../system/paths.js";

/** The input of a run: the configuration, with the changes that flags make. */
export interface Project {
  /** The folder that every other path is relative to. */
  readonly root: AbsolutePath;
  /** Path of the configuration file, or null if there is none. */
  readonly configPath: string | null;
  readonly config: Config;
  /** Documents that the patterns found, in the order of the patterns. */
  readonly documents: readonly string[];
  /** Folders that the patterns searched. */
  readonly folders: readonly string[];
}

/** Flags that define the project or override its settings. */
export interface ProjectFlags {
  /** `--config`, relative to the working directory. */
  readonly config?: string;
  /** `--out`, relative to the working directory. */
  readonly out?: string;
  readonly compat?: "webrpc";
  /**
   * `service`, `match`, `ignore`, and `unused` each replace the corresponding
   * setting of the configuration's filter.
   */
  readonly service?: readonly string[];
  readonly match?: readonly string[];
  readonly ignore?: readonly string[];
  readonly unused?: Unused;
}

/** The root of the project and the text of its configuration. */
export interface ConfigFile {
  readonly root: AbsolutePath;
  readonly path: string | null;
  readonly text: string;
}

/** Reads the configuration file. Returns null if it does not exist. */
export function readConfigFile(
  flags: ProjectFlags,
  system: System,
): ConfigFile | null {
  const path = resolvePath(
    system.workingFolder,
    flags.config ?? configFileName,
  );
  const text = system.readText(path);
  if (text === null) return null;
  const root = parentOf(path);
  return { root, path: pathFrom(root, path), text };
}

/**
 * Finds the configuration file. Errors: a {@link UsageError} if `--config`
 * names a missing file.
 */
export function findConfig(flags: ProjectFlags, system: System): ConfigFile {
  const file = readConfigFile(flags, system);
  if (file !== null) return file;
  if (flags.config !== undefined) {
    throw new UsageError(`there is no file \`${flags.config}\``);
  }
  return { root: system.workingFolder, path: null, text: "" };
}

/**
 * Reads the configuration and finds the documents.
 *
 * Input: patterns from the command line, which replace the configuration's
 * patterns, and the configuration file, which defaults to the file that {@link
 * findConfig} finds. Returns null if the configuration has errors. Paths in
 * diagnostics are relative to the working directory.
 * Errors: those of {@link findConfig}, `readConfig`, and {@link createProject},
 * and a {@link UsageError} for invalid flags.
 */
export async function openProject(
  patterns: readonly string[],
  flags: ProjectFlags,
  system: System,
  file: ConfigFile = findConfig(flags, system),
): Promise<Diagnosed<Project | null>> {
  const read = await readWritten(file);
  const { value, diagnostics } =
    read.value === null
      ? { ...read, value: null }
      : createProject(
          file,
          applyFlags(
            await applyCompat(read.value, flags),
            patterns,
            flags,
            file.root,
            system,
          ),
          system,
        );
  return { value, diagnostics: rebaseDiagnostics(diagnostics, file, system) };
}

/**
 * Finds the documents of a project. Errors: `no-documents`, or a
 * {@link UsageError} if no setting or argument names any.
 */
export function createProject(
  file: ConfigFile,
  config: Config,
  system: Pick<System, "listFolder" | "readText">,
): Diagnosed<Project> {
  if (config.schema.length === 0) {
    throw new UsageError(
      `there is no \`${configFileName}\` here, and no document was given`,
      findConfigElsewhere(file.root, system) ??
        "run `ridl init` to write a first contract, or list documents in a file of this name: `schema: [schema/*.ridl]`",
    );
  }
  const patterns = new Map(config.schema.map((each) => [each.pattern, each]));
  const found = [...patterns.values()].map((each) => ({
    ...each,
    ...findDocuments(each.pattern, file.root, system),
  }));
  const { emitterModules } = config;
  const project: Project = {
    root: file.root,
    configPath: file.path,
    config: {
      ...config,
      emitterModules: locatePackages(emitterModules, file.root, system),
    },
    documents: [...new Set(found.flatMap(({ paths }) => paths))],
    folders: [...new Set(found.flatMap(({ folders }) => folders))],
  };
  return {
    value: project,
    diagnostics: found
      .filter(({ paths }) => paths.length === 0)
      .map(({ pattern, location }): Diagnostic => ({
        code: "no-documents",
        severity: "error",
        message: `no document matches \`${pattern}\``,
        ...(location === null ? {} : { location }),
      })),
  };
}

/** Repeated here, because a run that changes nothing loads no emitter. */
const explorerFolder: typeof writtenFolder = "explorer";

/**
 * Finds the documents that a pattern of the configuration matches. A wildcard does
 * not match copies that the `docs` target writes, in this or another output, which
 * would declare everything twice.
 */
export function findDocuments(
  pattern: string,
  root: AbsolutePath,
  system: Pick<System, "listFolder" | "readText">,
): GlobResult {
  const named = rebasePath(pattern, root, root);
  const { folders, paths } = expandPattern(named, root, system);
  const isCopy = (path: string): boolean => {
    const folder = posix.dirname(path);
    if (path === named || posix.basename(folder) !== explorerFolder) {
      return false;
    }
    const output = posix.dirname(folder);
    const text = system.readText(
      resolvePath(root, posix.join(output, manifestName)),
    );
    if (text === null) return false;
    const files = parseManifest(text)?.files;
    // With a damaged manifest, e.g. after a merge, it probably is one.
    return files?.has(posix.relative(output, path)) ?? true;
  };
  return { folders, paths: paths.filter((path) => !isCopy(path)) };
}

/**
 * Returns which of these documents the configuration of the working directory
 * does not list. These are all if there is none, or if it has errors.
 */
export async function findUnlisted(
  documents: readonly string[],
  system: System,
): Promise<readonly string[]> {
  const file = readConfigFile({}, system);
  const config = file === null ? null : (await readWritten(file)).value;
  const listed = new Set(
    config?.schema.flatMap(
      ({ pattern }) =>
        findDocuments(pattern, system.workingFolder, system).paths,
    ),
  );
  return documents.filter((path) => !listed.has(path));
}

async function readWritten({
  path,
  text,
}: ConfigFile): Promise<Diagnosed<Config | null>> {
  if (path === null) return { value: defaultConfig, diagnostics: [] };
  // Loaded on demand, because a run that changes nothing does not need it.
  const { readConfig } = await import("../config/read-config.js");
  return readConfig({ path, text });
}

/** Adds the target that `--compat` selects. */
async function applyCompat(
  config: Config,
  { compat }: ProjectFlags,
): Promise<Config> {
  if (compat === undefined) return config;
  const { addTarget } = await import("../config/read-config.js");
  return addTarget(config, "compat");
}

function applyFlags(
  config: Config,
  patterns: readonly string[],
  flags: ProjectFlags,
  root: AbsolutePath,
  system: System,
): Config {
  const rebase = (path: string): string =>
    rebasePath(path, system.workingFolder, root);
  // An unset shell variable results in an empty path, which would mean `.`.
  if (flags.out === "") throw new UsageError("`--out` is empty");
  const out = flags.out === undefined ? config.out : rebase(flags.out);
  refuseOutput(flags.out ?? config.out, resolvePath(root, out));
  if (patterns.includes("")) {
    throw new UsageError("the name of a document is empty");
  }
  return {
    ...config,
    filter: filterBy(config.filter, flags),
    out,
    schema:
      patterns.length === 0
        ? config.schema
        : patterns.map((pattern) => ({
            pattern: rebase(withSlashes(pattern)),
            location: null,
          })),
  };
}

/** Refuses an output folder that cannot be meant. */
function refuseOutput(written: string, out: AbsolutePath): void {
  if (/^~(?:$|[\\/])/u.test(written)) {
    throw new UsageError(
      `\`~\` in the output folder \`${written}\` is not your home folder`,
      "write the path of the folder, for example relative to the configuration",
    );
  }
  if (parentOf(out) === out) {
    throw new UsageError(
      `the output folder \`${written}\` is the root of a disk`,
      "choose a folder that contains nothing else",
    );
  }
}

/** Replaces the filter settings that flags override. */
function filterBy(filter: FilterConfig, flags: ProjectFlags): FilterConfig {
  const { ignore, match, service, unused = filter.unused } = flags;
  const entriesOf = (texts: readonly string[]): readonly FilterEntry[] =>
    texts.map((text) => ({ text, location: null }));
  for (const [flag, texts = []] of Object.entries({ match, ignore })) {
    const faulty = texts.find((text) => !/^@[^\s:]/u.test(text));
    if (faulty === undefined) continue;
    throw new UsageError(
      `\`--${flag}\` contains \`${faulty}\`, which is not an annotation`,
      `write annotations with \`@\`, e.g. \`--${flag} @internal\``,
    );
  }
  return {
    services: service ? entriesOf(service) : filter.services,
    match: match ? entriesOf(match) : filter.match,
    ignore: ignore ? entriesOf(ignore) : filter.ignore,
    unused,
  };
}

/**
 * Returns the folders that a run depends on: the folders of the
 * configuration, of the patterns, and of all documents that it tried to read.
 */
export function foldersOf(
  project: Project,
  reads: readonly string[] = [],
): readonly AbsolutePath[] {
  const folders = [
    ".",
    ...project.folders,
    ...project.documents.map((path) => posix.dirname(path)),
    ...reads.map((path) =>
      path.endsWith("/") ? path.slice(0, -1) : posix.dirname(path),
    ),
  ];
  return [
    ...new Set(folders.map((folder) => resolvePath(project.root, folder))),
  ];
}

/** File names that people may give a configuration by mistake. */
const otherName = /^\.?ridl(?:\.config)?\.(?:ya?ml|json|[cm]?[jt]s)$/u;

/**
 * Finds the configuration that people may have meant, with another name or in a
 * parent folder. Returns advice, or null.
 */
function findConfigElsewhere(
  folder: AbsolutePath,
  system: Pick<System, "listFolder">,
): string | null {
  const other = namesIn(folder, system).find((name) => otherName.test(name));
  if (other !== undefined) {
    return `rename \`${other}\` to \`${configFileName}\` and write it in YAML`;
  }
  for (let above = parentOf(folder); ; above = parentOf(above)) {
    if (namesIn(above, system).includes(configFileName)) {
      const path = pathFrom(folder, resolvePath(above, configFileName));
      return `to use the one in a parent folder, add \`--config ${path}\``;
    }
    if (parentOf(above) === above) return null;
  }
}

/** Whether a folder has a configuration, or one above it or in another form. */
export function hasConfig(
  folder: AbsolutePath,
  system: Pick<System, "listFolder">,
): boolean {
  return (
    namesIn(folder, system).includes(configFileName) ||
    findConfigElsewhere(folder, system) !== null
  );
}

/**
 * Lists the names in a folder. Returns an empty list if the folder cannot be
 * read.
 */
function namesIn(
  folder: AbsolutePath,
  system: Pick<System, "listFolder">,
): readonly string[] {
  try {
    return (system.listFolder(folder) ?? []).map(({ name }) => name);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
