import { posix } from "node:path/posix";
import type { DocumentReader } from "../../generator/1-parse/load/load-documents.js";
import { rememberEach } from "../../generator/ir/remember.js";
import { FileError, type System } from "../system/system.js";
import {
  type AbsolutePath,
  contains,
  rebasePath,
  resolvePath,
} from "../system/paths.js";
import type { Project } from "./project.js";
import { readDocument } from "./read-document.js";

/**
 * A reader that records the documents that it reads. A path that ends with `/`
 * reads the names of the files and folders in a folder, one on each line.
 */
export interface RecordingReader extends Required<DocumentReader> {
  /**
   * Text of every path that was read, or null if there was no file. Does not
   * contain files that cannot be read.
   */
  readonly reads: ReadonlyMap<string, string | null>;
}

/** The parts of a project that say which files it can read. */
export type ReadableProject = Pick<Project, "root" | "documents" | "config">;

/**
 * Creates a reader that reads each document of a project once. If an import
 * names a folder, the document counts as missing. `faultOf` returns why a file
 * that was read before cannot be read, so that diagnostics point to imports.
 * `locationOf` finds documents that the configuration lists without wildcards.
 *
 * Also refuses files that {@link mayRead} excludes. Diagnostics quote imported
 * documents, so imports from other folders could reveal unrelated files.
 */
export function createRecordingReader(
  project: ReadableProject,
  system: Pick<System, "readText" | "readBytes" | "listFolder">,
): RecordingReader {
  const { root } = project;
  const reads = new Map<string, string | null>();
  const faults = new Map<string, string>();
  const read = (path: string): string | null => {
    const known = reads.get(path);
    if (known !== undefined) return known;
    const absolute = resolvePath(root, path);
    if (!mayRead(project, absolute)) {
      faults.set(path, "it is outside the project and its `importFolders`");
      return null;
    }
    try {
      const text = path.endsWith("/")
        ? listTemplates(absolute, system)
        : readUnlessFolder(absolute, system);
      reads.set(path, text);
      return text;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      faults.set(path, error.reason);
      return null;
    }
  };
  return {
    read,
    reads,
    faultOf: (path) => faults.get(path) ?? null,
    locationOf: (path) =>
      project.config.schema.find(
        ({ pattern }) => rebasePath(pattern, root, root) === path,
      )?.location ?? null,
  };
}

/**
 * Whether a path is in a folder that a project can read: its own, those of listed
 * documents and custom emitters, and `importFolders`.
 */
export function mayRead(project: ReadableProject, path: AbsolutePath): boolean {
  return readableFolders(project).some((folder) => contains(folder, path));
}

const readableFolders = rememberEach(
  ({
    root,
    documents,
    config: { emitterModules, importFolders },
  }: ReadableProject): readonly AbsolutePath[] => {
    const named = [...documents, ...emitterModules.map(({ path }) => path)];
    const folders = named.map((path) => posix.dirname(path));
    return [...new Set([".", ...folders, ...importFolders])].map((folder) =>
      resolvePath(root, folder),
    );
  },
);

/**
 * Lists the visible files and folders in a folder of templates, or returns null
 * if there is no such folder.
 */
export function listTemplates(
  folder: AbsolutePath,
  system: Pick<System, "listFolder">,
): string | null {
  const entries = system.listFolder(folder);
  return (
    entries
      ?.map(({ isFolder, name }) => (isFolder ? `${name}/` : name))
      .filter((name) => !/^\.|^(?:node_modules|__pycache__)\/$/u.test(name))
      .sort()
      .join("\n") ?? null
  );
}

function readUnlessFolder(
  path: AbsolutePath,
  system: Pick<System, "readText" | "readBytes" | "listFolder">,
): string | null {
  try {
    return readDocument(path, system);
  } catch (error) {
    if (system.listFolder(path) !== null) return null;
    throw error;
  }
}
