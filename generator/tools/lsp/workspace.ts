import { TextDocument } from "vscode-languageserver-textdocument";
import type {
  DidChangeTextDocumentParams,
  TextDocumentItem,
} from "vscode-languageserver-protocol";
import type { EditorSystem, Home } from "./editor-system.js";
import { Session, type OpenDocument, type Published } from "./session.js";

/** An open document with the session that answers questions about it. */
export interface Asked {
  readonly session: Session;
  readonly path: string;
  readonly text: TextDocument;
}

/** A generated file with the session of its contract. */
export interface AskedOutput {
  readonly session: Session;
  /** Below the output folder. */
  readonly path: string;
}

/** Editors write a file in several steps; a refresh waits for this much quiet. */
const quietMs = 20;

/** What a workspace tells its client. */
export interface EditorEvents {
  publish(published: Published): void;
  /** Folders that have to be watched, whenever there are others. */
  watch(folders: readonly string[]): void;
  /** Code lenses say more than when the client asked for them. */
  refreshLenses(): void;
  /** Something went wrong that nobody waits for. */
  failed(error: unknown): void;
}

/** Everything that is open in an editor: documents, and a session a project. */
export class EditorWorkspace {
  readonly #system: EditorSystem;
  readonly #events: EditorEvents;
  readonly #open = new Map<string, OpenDocument>();
  readonly #homes = new Map<string, Home>();
  readonly #sessions = new Map<string, Promise<Session>>();
  /** Sessions that are there. */
  readonly #ready = new Map<string, Session>();
  /** Projects of folders of the workspace; they stay without open documents. */
  readonly #roots = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;
  readonly #withBase = new WeakSet<Session>();

  constructor(system: EditorSystem, events: EditorEvents) {
    this.#system = system;
    this.#events = events;
  }

  /** The sessions of all projects. */
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
    this.#open.set(uri, document);
    if (this.#isConfig(uri)) this.scheduleRefresh();
    this.#guard(this.#settle(document));
  }

  change({ contentChanges, textDocument }: DidChangeTextDocumentParams): void {
    const { uri, version } = textDocument;
    const document = this.#open.get(uri);
    if (document === undefined) return;
    TextDocument.update(document.text, [...contentChanges], version);
    if (this.#isConfig(uri)) this.scheduleRefresh();
    const home = this.#homes.get(uri);
    if (home === undefined) return;
    this.#ready.get(home.project)?.setDocument(home.path, document);
  }

  close(uri: string): void {
    const home = this.#homes.get(uri);
    this.#open.delete(uri);
    this.#homes.delete(uri);
    if (this.#isConfig(uri)) this.scheduleRefresh();
    if (home === undefined) return;
    this.#ready.get(home.project)?.closeDocument(home.path);
    this.#dropIdle();
  }

  /** An open document; null for one that is no document of a contract. */
  async ask(uri: string): Promise<Asked | null> {
    const document = this.#open.get(uri);
    const home = this.#homes.get(uri);
    if (document === undefined || home === undefined) return null;
    const session = await this.#sessionOf(home.project);
    return { session, path: home.path, text: document.text };
  }

  /** The session whose output a file belongs to, and its path in that. */
  async findOutput(uri: string): Promise<AskedOutput | null> {
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

  /** Looks at the disk again after a short while. */
  scheduleRefresh(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#guard(this.#refresh());
    }, quietMs);
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const session of this.#ready.values()) session.dispose();
  }

  async #refresh(): Promise<void> {
    for (const [project, session] of this.#ready) {
      session.refresh(await this.#openProject(project));
    }
    for (const [uri] of this.#roots) await this.addFolder(uri);
    for (const document of [...this.#open.values()]) {
      await this.#settle(document);
    }
    this.#dropIdle();
    this.#events.watch(this.#folders());
  }

  /** Gives a document to the session of its project. */
  async #settle(document: OpenDocument): Promise<void> {
    const { uri } = document;
    const home = this.#system.findHome(uri);
    const before = this.#homes.get(uri);
    if (before?.project === home.project) return;
    this.#homes.set(uri, home);
    if (before !== undefined) {
      this.#ready.get(before.project)?.closeDocument(before.path);
    }
    const session = await this.#sessionOf(home.project);
    // It may have been closed, or moved, in the meantime.
    if (this.#homes.get(uri) !== home) return;
    const { languageId } = document.text;
    if (session.isDocument(home.path, languageId)) {
      session.setDocument(home.path, document);
    } else {
      this.#homes.delete(uri);
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
      publish: (published) => this.#events.publish(published),
      failed: (error) => this.#events.failed(error),
      openText: (uri) => this.#open.get(uri)?.text,
    });
    this.#ready.set(project, session);
    this.#events.watch(this.#folders());
    return session;
  }

  /**
   * Loads the contract that changes are compared with, once, and not before
   * somebody wants to know: it takes several runs of git.
   */
  wantBase(session: Session): void {
    if (this.#withBase.has(session)) return;
    this.#withBase.add(session);
    this.#guard(this.#loadBase(session));
  }

  async #loadBase({ project, service }: Session): Promise<void> {
    // The answer of the moment goes out first.
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    const base = await this.#system.openBase(project);
    if (base === null) return;
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

  #folders(): readonly string[] {
    const all = [...this.#ready.values()].flatMap(({ folders }) => folders);
    return [...new Set(all)].sort();
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
