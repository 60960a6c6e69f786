import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";
import type { DocumentReader } from "../../../generator/1-parse/load/load-documents.js";
import type { LanguageService } from "../service/language-service.js";
import type {
  BaseContract,
  ServiceSettings,
} from "../service/model/settings.js";

/** Answers about a place in a file. */
export type PlaceAnswers = Pick<
  LanguageService,
  "complete" | "definition" | "hover"
>;

/**
 * The templates of a project. Paths are relative to the project's root. Files are
 * read again for each answer.
 */
export interface ProjectTemplates extends PlaceAnswers {
  /** Whether a file is a template, or would be if it existed. */
  includes(path: string): boolean;
  /** Returns the diagnostics of all templates, and of settings about them. */
  diagnose(): readonly Diagnostic[];
}

/** An opened project: a configuration file, or a folder without one. */
export interface OpenedProject {
  /**
   * The settings, or null if the configuration has errors. In that case, the
   * previous settings stay in effect.
   */
  readonly settings: Pick<
    ServiceSettings,
    "entries" | "lint" | "timestamp"
  > | null;
  /**
   * Diagnostics of the configuration. Paths are relative to the project's root.
   */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Supplies the documents of the project as the editor shows them, or else from
   * disk. It never throws.
   */
  readonly reader: DocumentReader;
  /** The templates of the project. Null if it has none. */
  readonly templates: ProjectTemplates | null;
  /** Folders in which new files can change the project. */
  readonly folders: readonly string[];
  /**
   * Returns the folder of a document, or null if the project cannot read files
   * there.
   */
  folderOf(path: string): string | null;
  /**
   * Returns the path of a file below the output folder, e.g. `shop/client.ts`,
   * or null for other files.
   */
  findOutput(uri: string): string | null;
}

/** The project that a document belongs to, and its path there. */
export interface ProjectPath {
  /** Key of the project: the path of its configuration or of its folder. */
  readonly project: string;
  /** Path of the document in the project, e.g. `schema/api.ridl`. */
  readonly path: string;
}

/** Watches a list of folders. */
export interface FolderWatcher {
  /** Replaces the list. */
  follow(folders: readonly string[]): void;
  stop(): void;
}

/**
 * The machine and the command line, as a language server sees them. Projects
 * are identified by opaque keys, documents by their URI or by their path in a
 * project.
 */
export interface EditorSystem {
  /** Version of ridlkit. */
  readonly version: string;
  /** Finds the project of a document, whether or not the document is a file. */
  findHome(uri: string): ProjectPath;
  /**
   * Finds the project of a folder's own configuration file. Returns null if
   * there is none.
   */
  findProject(folderUri: string): string | null;
  /** Returns the path that a project has for a file, or null for other URIs. */
  pathIn(project: string, uri: string): string | null;
  uriOf(project: string, path: string): string;
  /**
   * Returns a URI as {@link uriOf} writes it. Clients escape other characters.
   */
  normalizeUri(uri: string): string;
  /**
   * Returns the URI of a project's configuration file, or null if it has none.
   */
  configUriOf(project: string): string | null;
  /**
   * Reads the configuration of a project. `openText` returns the text of a file
   * that is open in the editor, now and whenever the project is read.
   */
  openProject(
    project: string,
    openText: (uri: string) => string | undefined,
  ): Promise<OpenedProject>;
  /** Opens the contract to compare with. Returns null if there is none. */
  openBase(project: string): Promise<BaseContract | null>;
  /** Whether a process on this machine is running. */
  isRunning(processId: number): boolean;
  /**
   * Creates a watcher for folders. It calls `onChange` when something in one of
   * them changes, and `onFault` with the reason if one cannot be watched.
   */
  watch(onChange: () => void, onFault: (reason: string) => void): FolderWatcher;
}
