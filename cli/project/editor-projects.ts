import { posix } from "node:path/posix";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { DocumentReader } from "../../generator/1-parse/load/load-documents.js";
import { loadOwnSets } from "../../generator/4-emit/templates/own-sets.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import type { BaseContract } from "../../tools/editor/service/model/settings.js";
import type {
  EditorSystem,
  OpenedProject,
} from "../../tools/editor/lsp/editor-system.js";
import {
  type Config,
  configFileName,
  defaultConfig,
  hasTemplates,
} from "../config/config.js";
import {
  type AbsolutePath,
  isBelow,
  parentOf,
  pathFrom,
  resolvePath,
  toAbsolutePath,
} from "../system/paths.js";
import { FileError, type System, UsageError } from "../system/system.js";
import { followFolders } from "../system/follow-folders.js";
import {
  findConfig,
  foldersOf,
  openProject,
  type Project,
  readConfigFile,
} from "./project.js";
import {
  createRecordingReader,
  mayRead,
  type ReadableProject,
} from "./recording-reader.js";
import { openPast } from "./revision.js";

/**
 * The project of documents that are not files. Their paths are encoded URIs.
 */
const unsaved = "unsaved:/";

/**
 * Creates the projects of an editor. The nearest configuration file above a
 * document defines its project. Without one, the folder of the document is the
 * project. Keys of projects are absolute paths, which end with `/` for folders.
 * Input: the configuration file for all documents, or undefined to search for
 * one.
 */
export function createEditorProjects(
  system: System,
  config: string | undefined,
): EditorSystem {
  const forced =
    config === undefined ? null : resolvePath(system.workingFolder, config);
  return {
    version: system.version,
    findHome: (uri) => {
      const path = toPath(uri);
      if (path === null) {
        return { project: unsaved, path: encodeURIComponent(uri) };
      }
      const folder = parentOf(path);
      const project = forced ?? findAbove(folder, system) ?? `${folder}/`;
      return { project, path: pathFrom(rootOf(project), path) };
    },
    findProject: (uri) => {
      const folder = toPath(uri);
      if (folder === null) return null;
      return forced ?? findIn(folder, system);
    },
    pathIn: (project, uri) => {
      const path = project === unsaved ? null : toPath(uri);
      return path && pathFrom(rootOf(project), path);
    },
    uriOf: (project, path) =>
      project === unsaved
        ? decodeURIComponent(path)
        : pathToFileURL(resolvePath(rootOf(project), path)).href,
    normalizeUri: (uri) => {
      const path = toPath(uri);
      return path === null ? uri : pathToFileURL(path).href;
    },
    configUriOf: (project) =>
      project.endsWith("/") ? null : pathToFileURL(project).href,
    openProject: async (project, openText) => {
      if (project === unsaved) return unsavedProject;
      const shown: System = {
        ...system,
        readText: (path) =>
          openText(pathToFileURL(path).href) ?? system.readText(path),
      };
      return project.endsWith("/")
        ? openFolder(project, shown)
        : openConfigured(toAbsolutePath(project), shown);
    },
    openBase: (project) =>
      project.endsWith("/")
        ? Promise.resolve(null)
        : unlessUnusable(() => openBase(toAbsolutePath(project), system)),
    isRunning: (processId) => system.isRunning(processId),
    watch: (onChange, onFault) => {
      const watching = followFolders(system, onChange, ({ message, help }) =>
        onFault(help === null ? message : `${message}; ${help}`),
      );
      return {
        follow: (folders) => watching.follow(folders.map(toAbsolutePath)),
        stop: () => watching.stop(),
      };
    },
  };
}

/**
 * Returns the path of a file, or null for other URIs, e.g.
 * `untitled:Untitled-1`.
 */
function toPath(uri: string): AbsolutePath | null {
  try {
    return toAbsolutePath(fileURLToPath(uri));
  } catch {
    return null;
  }
}

/** Returns the folder that the paths of a project are relative to. */
function rootOf(project: string): AbsolutePath {
  const path = toAbsolutePath(project);
  return project.endsWith("/") ? path : parentOf(path);
}

function findAbove(start: AbsolutePath, system: System): string | null {
  for (let folder = start; ; folder = parentOf(folder)) {
    const found = findIn(folder, system);
    if (found !== null || parentOf(folder) === folder) return found;
  }
}

function findIn(folder: AbsolutePath, system: System): string | null {
  const path = resolvePath(folder, configFileName);
  return isReadable(path, system) ? path : null;
}

function isReadable(path: AbsolutePath, system: System): boolean {
  try {
    return system.readText(path) !== null;
  } catch {
    // The file exists but cannot be read. The reader reports why.
    return true;
  }
}

const unsavedProject: OpenedProject = {
  settings: settingsOf({ documents: [], config: defaultConfig }),
  diagnostics: [],
  reader: { read: () => null },
  templates: null,
  folders: [],
  folderOf: () => null,
  findOutput: () => null,
};

/** Opens a folder without a configuration. */
function openFolder(project: string, system: System): OpenedProject {
  const root = rootOf(project);
  const empty = { root, documents: [], config: defaultConfig };
  return { ...unsavedProject, ...openFiles(empty, system), folders: [root] };
}

async function openConfigured(
  path: AbsolutePath,
  system: System,
): Promise<OpenedProject> {
  const root = parentOf(path);
  const rooted: System = { ...system, workingFolder: root };
  const opened = await diagnose(() =>
    openProject([], { config: path }, rooted),
  );
  const project = opened.value;
  const known = project ?? { root, documents: [], config: defaultConfig };
  const templates = project && (await loadTemplates(project, system));
  return {
    settings: project && settingsOf(project),
    diagnostics: opened.diagnostics,
    ...openFiles(known, system),
    templates: templates?.templates ?? null,
    folders:
      project === null ? [root] : foldersOf(project, templates?.folders ?? []),
    findOutput: (uri) => {
      const file = toPath(uri);
      if (file === null) return null;
      const below = pathFrom(resolvePath(root, known.config.out), file);
      return isBelow(below) ? below : null;
    },
  };
}

/** Loads the code for templates, if a project has any. */
async function loadTemplates(
  project: Project,
  system: System,
): Promise<{
  readonly templates: OpenedProject["templates"];
  readonly folders: readonly string[];
} | null> {
  if (!hasTemplates(project.config)) return null;
  const { foldersOfTemplates, openTemplates } =
    await import("./editor-templates.js");
  const ownSets = await loadOwnSets();
  return {
    templates: openTemplates(project, ownSets, system),
    folders: foldersOfTemplates(project, ownSets, system),
  };
}

/** Turns errors that end commands into diagnostics. */
async function diagnose(
  open: () => ReturnType<typeof openProject>,
): ReturnType<typeof openProject> {
  try {
    return await open();
  } catch (error) {
    return { value: null, diagnostics: [toDiagnostic(error)] };
  }
}

function toDiagnostic(error: unknown): Diagnostic {
  if (error instanceof FileError || error instanceof UsageError) {
    const { help, message } = error;
    const code =
      error instanceof FileError ? "file-access" : "invalid-config-value";
    const fault = { code, severity: "error", message } as const;
    return help === null ? fault : { ...fault, help };
  }
  throw error;
}

function settingsOf({
  config: { lint, options },
  documents,
}: Pick<Project, "config" | "documents">): OpenedProject["settings"] {
  return { entries: documents, lint, timestamp: options.timestamp };
}

/** Opens the documents of a project for a session. */
function openFiles(
  project: ReadableProject,
  system: System,
): Pick<OpenedProject, "reader" | "folderOf"> {
  return {
    reader: createEditorReader(project, system),
    folderOf: (path) => {
      const absolute = resolvePath(project.root, path);
      return mayRead(project, absolute) ? parentOf(absolute) : null;
    },
  };
}

/** Creates a reader that does not cache anything. */
function createEditorReader(
  project: ReadableProject,
  system: System,
): DocumentReader {
  return {
    read: (path) => createRecordingReader(project, system).read(path),
    faultOf: (path) => {
      const reader = createRecordingReader(project, system);
      reader.read(path);
      return reader.faultOf(path);
    },
  };
}

/** Returns null if there is nothing to compare with. */
async function unlessUnusable<Value>(
  open: () => Promise<Value | null>,
): Promise<Value | null> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof UsageError || error instanceof FileError) return null;
    throw error;
  }
}

async function openBase(
  path: AbsolutePath,
  system: System,
): Promise<BaseContract | null> {
  const rooted = { ...system, workingFolder: parentOf(path) };
  const flags = { config: path };
  const now = await openProject([], flags, rooted);
  if (now.value === null) return null;
  const options: Config["breaking"] = now.value.config.breaking;
  const past = openPast(options.against, rooted);
  const root = past.system.workingFolder;
  const file = findConfig(flags, rooted);
  const then = readConfigFile({ config: posix.basename(path) }, past.system);
  const before = await openProject(
    [],
    flags,
    past.system,
    then ?? { ...file, root },
  );
  if (before.value === null) return null;
  const reader = createEditorReader(before.value, past.system);
  return { entries: before.value.documents, reader, options };
}
