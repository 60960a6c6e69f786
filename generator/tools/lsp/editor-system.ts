import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { DocumentReader } from "../../1-parse/load/load-documents.js";
import type {
  BaseContract,
  ServiceSettings,
} from "../../language-service/model/language-service.js";

/** What a configuration file, or a folder without one, says of its documents. */
export interface OpenedProject {
  /** null: the configuration is faulty, and what it said before still holds. */
  readonly settings: Pick<
    ServiceSettings,
    "entries" | "lint" | "timestamp"
  > | null;
  /** About the configuration itself; paths are relative to the project's root. */
  readonly diagnostics: readonly Diagnostic[];
  /** Supplies the documents of the project. Errors: none. */
  readonly reader: DocumentReader;
  /** Folders in which files can appear that change the project. */
  readonly folders: readonly string[];
  /**
   * Path of a file below the output folder, e.g. `shop/client.ts`; null for
   * files outside of it.
   */
  findOutput(uri: string): string | null;
}

/** Where a document belongs. */
export interface Home {
  /** Identifies the project: the path of its configuration, or of its folder. */
  readonly project: string;
  /** Path of the document as the project sees it, e.g. `schema/api.ridl`. */
  readonly path: string;
}

/**
 * What a language server needs of the machine and of the command line. Projects
 * are known by opaque keys, documents by their URI or by their path within a
 * project.
 */
export interface EditorSystem {
  /** Version of ridlkit. */
  readonly version: string;
  /** The project of a document, whether or not it is a file. */
  findHome(uri: string): Home;
  /** The project of a folder's own configuration file; null without one. */
  findProject(folderUri: string): string | null;
  uriOf(project: string, path: string): string;
  /** URI of the configuration file of a project; null if it has none. */
  configUriOf(project: string): string | null;
  /**
   * Reads the configuration of a project.
   * Input: `openText` has the text of files that are open in the editor.
   */
  openProject(
    project: string,
    openText: (uri: string) => string | undefined,
  ): Promise<OpenedProject>;
  /** The contract of the main branch; null if there is none to compare with. */
  openBase(project: string): Promise<BaseContract | null>;
  /** Whether a process of this machine is running. */
  isRunning(processId: number): boolean;
  /** Calls back when something in a folder changes. Output: stops watching. */
  watch(folders: readonly string[], onChange: () => void): () => void;
}
