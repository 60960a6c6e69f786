import { TextDocument } from "vscode-languageserver-textdocument";
import type {
  DidChangeTextDocumentParams,
  TextDocumentItem,
} from "vscode-languageserver-protocol";
import { isTemplateFile } from "./capabilities.js";
import type { EditorSystem, ProjectPath } from "./editor-system.js";
import { createMerge } from "./merge-diagnostics.js";
import { Session, type OpenDocument, type Published } from "./session.js";

/** An open document and the session that answers requests about it. */
export interface RequestedDocument {
  readonly session: Session;
  readonly path: string;
  readonly text: TextDocument;
}

/** A generated file and the session of its contract. */
export interface RequestedOutput {
  readonly session: Session;
  /** Path below the output folder. */
  readonly path: string;
}

/**
 * Editors save a file in several steps, so a refresh waits for a pause this
 * long, in milliseconds.
 */
const debounceMs = 20;

/**
 * The longest that a refresh waits, in milliseconds, because some programs write
 * all the time.
 */
const maxWaitMs = 1_000;

/** Events that a workspace reports to its client. */
export interface EditorEvents {
  publish(published: Published): void;
  /**
   * Called with all folders to watch whenever they change, and before files are
   * read again, because folders may have been replaced.
   */
  watch(folders: readonly string[]): void;
  /** Called when code lenses have more to show than before. */
  refreshLenses(): void;
  /** Called for errors in the background. */
  failed(error: unknown): void;
}

/**
 * Everything that is open in an editor: its documents, and a session for each
 * project.
 */
export class EditorWorkspace {
  readonly #system: EditorSystem;
  readonly #events: EditorEvents;
  /** Open documents by their normalized URI. */
  readonly #open = new Map<string, OpenDocument>();
  /** Where open documents belong, by the same URI. */
  readonly #homes = new Map<string, ProjectPath>();
  readonly #sessions = new Map<string, Promise<Session>>();
  /** Sessions that are ready. */
  readonly #ready = new Map<string, Session>();
  /**
   * Projects of workspace folders, which are kept even if they have no open
   * documents.
   */
  readonly #roots = new Map<string, string>();
  /** The watched folders. Null if they may have been replaced. */
  #watched: ReadonlySet<string> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** When a refresh begins at the latest. Null if none is scheduled. */
  #refreshBy: number | null = null;
  readonly #withBase = new WeakSet<Session>();
  readonly #merge = createMerge();

  constructor(system: EditorSystem, events: EditorEvents) {
    this.#system = system;
    this.#events = events;
  }

  /** Returns the sessions of all projects. */
  async sessions(): Promise<readonly Session[]> {
    return Promise.all(this.#sessions.values());
  }

  async addFolder(uri: string): Promise<void> {
    const project = this.#system.findProject(uri);
    if (project === null) return;
    this.#roots.set(uri, project);
    (await this.#sessionOf(project)).schedule();
  }

  removeFolder(uri: string): void {
    this.#roots.delete(uri);
    this.#dropIdle();
  }

  open({ languageId, text, uri, version }: TextDocumentItem): void {
    if (typeof text !== "string" || typeof uri !== "string") return;
    const document = {
      uri,
      text: TextDocument.create(uri, languageId, version, text),
    };
    this.#open.set(this.#system.normalizeUri(uri), document);
    if (this.#isConfig(uri)) this.scheduleRefresh();
    this.#updateOthers(uri);
    this.#guard(this.#settle(document));
  }

  change({ contentChanges, textDocument }: DidChangeTextDocumentParams): void {
    const { uri, version } = textDocument;
    const key = this.#system.normalizeUri(uri);
    const document = this.#open.get(key);
    if (document === undefined) return;
    TextDocument.update(document.text, [...contentChanges], version);
    if (this.#isConfig(uri)) this.scheduleRefresh();
    this.#updateOthers(uri);
    const home = this.#homes.get(key);
    if (home === undefined) return;
    this.#ready.get(home.project)?.setDocument(home.path, document);
  }

  close(uri: string): void {
    const key = this.#system.normalizeUri(uri);
    const home = this.#homes.get(key);
    this.#open.delete(key);
    if (this.#isConfig(uri)) this.scheduleRefresh();
    this.#updateOthers(uri);
    this.#homes.delete(key);
    if (home === undefined) return;
    this.#ready.get(home.project)?.closeDocument(home.path);
    this.#dropIdle();
  }

  /**
   * Returns an open document, or null if the document is not open or does not
   * belong to a contract.
   */
  async ask(uri: string): Promise<RequestedDocument | null> {
    const key = this.#system.normalizeUri(uri);
    const document = this.#open.get(key);
    const home = this.#homes.get(key);
    if (document === undefined || home === undefined) return null;
    const session = await this.#sessionOf(home.project);
    return { session, path: home.path, text: document.text };
  }

  /**
   * Finds the session whose output contains a file, and the file's path in that
   * output.
   */
  async findOutput(uri: string): Promise<RequestedOutput | null> {
    const { project } = this.#system.findHome(uri);
    if (this.#system.configUriOf(project) !== null) {
      await this.#sessionOf(project);
    }
    for (const session of await this.sessions()) {
      const path = session.findOutput(uri);
      if (path !== null) return { session, path };
    }
    return null;
  }

  /** Schedules a refresh from disk. */
  scheduleRefresh(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const now = performance.now();
    this.#refreshBy ??= now + maxWaitMs;
    const refresh = (): void => {
      this.#timer = null;
      this.#refreshBy = null;
      this.#guard(this.#refresh());
    };
    const waitMs = Math.min(debounceMs, this.#refreshBy - now);
    this.#timer = setTimeout(refresh, Math.max(0, waitMs));
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const session of this.#ready.values()) session.dispose();
  }

  async #refresh(): Promise<void> {
    // Folders may have been replaced. They are watched before files are read,
    // so that no change goes unnoticed.
    this.#watched = null;
    this.#watch();
    for (const [project, session] of this.#ready) {
      const opened = await this.#openProject(project);
      // The last document of the project may have been closed in the meantime.
      if (this.#ready.get(project) !== session) continue;
      session.refresh(opened);
      // The revision to compare with may have changed, too.
      if (this.#withBase.delete(session)) this.wantBase(session);
    }
    for (const [uri] of this.#roots) await this.addFolder(uri);
    for (const document of [...this.#open.values()]) {
      await this.#settle(document);
    }
    this.#dropIdle();
    this.#watch();
  }

  /** Tells the sessions that a document does not belong to about its new text. */
  #updateOthers(uri: string): void {
    const home = this.#homes.get(this.#system.normalizeUri(uri));
    for (const [project, session] of this.#ready) {
      if (project === home?.project) continue;
      const path = this.#system.pathIn(project, uri);
      if (path !== null) session.updateShared(path);
    }
  }

  /** Assigns a document to the session of its project. */
  async #settle(document: OpenDocument): Promise<void> {
    const { uri } = document;
    const key = this.#system.normalizeUri(uri);
    const home = this.#system.findHome(uri);
    const before = this.#homes.get(key);
    if (before?.project === home.project) return;
    this.#homes.set(key, home);
    if (before !== undefined) {
      this.#ready.get(before.project)?.closeDocument(before.path);
    }
    const { languageId } = document.text;
    const isConfigured = this.#system.configUriOf(home.project) !== null;
    // Only a configuration names template sets.
    if (isTemplateFile(uri, languageId) && !isConfigured) {
      this.#homes.delete(key);
      return;
    }
    const session = await this.#sessionOf(home.project);
    // The document may have been closed, or moved, in the meantime.
    if (this.#homes.get(key) !== home) return;
    if (session.isDocument(home.path, languageId)) {
      session.setDocument(home.path, document);
    } else {
      this.#homes.delete(key);
    }
  }

  #sessionOf(project: string): Promise<Session> {
    const known = this.#sessions.get(project);
    if (known !== undefined) return known;
    const session = this.#createSession(project);
    this.#sessions.set(project, session);
    return session;
  }

  async #createSession(project: string): Promise<Session> {
    const opened = await this.#openProject(project);
    const session = new Session(project, opened, this.#system, {
      publish: (published) =>
        this.#events.publish(this.#merge(project, published)),
      failed: (error) => this.#events.failed(error),
      openDocument: (uri) => this.#open.get(uri),
      readFolder: (folder) => {
        // Files may have changed between reading and watching them.
        if (this.#watched?.has(folder) !== true) this.scheduleRefresh();
      },
    });
    this.#ready.set(project, session);
    this.#watch();
    return session;
  }

  /**
   * Loads the contract that changes are compared with, only on demand and after
   * changes on disk, because loading takes several runs of git.
   */
  wantBase(session: Session): void {
    if (this.#withBase.has(session)) return;
    this.#withBase.add(session);
    this.#guard(this.#loadBase(session));
  }

  async #loadBase({ project, service }: Session): Promise<void> {
    // Send the current response first.
    await new Promise((resolve) => setTimeout(resolve, debounceMs));
    const base = await this.#system.openBase(project);
    service.configure({ base });
    this.#events.refreshLenses();
  }

  #guard(promise: Promise<unknown>): void {
    promise.catch((error: unknown) => this.#events.failed(error));
  }

  #openProject(project: string): ReturnType<EditorSystem["openProject"]> {
    return this.#system.openProject(project, (uri) =>
      this.#open.get(uri)?.text.getText(),
    );
  }

  #isConfig(uri: string): boolean {
    return uri.endsWith("/ridl.config.yaml");
  }

  #watch(): void {
    const all = [...this.#ready.values()].flatMap(({ folders }) => folders);
    const before = this.#watched;
    if (before !== null && all.every((each) => before.has(each))) return;
    const folders = new Set(all);
    this.#watched = folders;
    this.#events.watch([...folders].sort());
  }

  #dropIdle(): void {
    const roots = new Set(this.#roots.values());
    for (const [project, session] of this.#ready) {
      if (session.hasOpenDocuments || roots.has(project)) continue;
      session.dispose();
      session.retract();
      this.#ready.delete(project);
      this.#sessions.delete(project);
    }
  }
}
