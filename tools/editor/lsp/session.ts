import { TextDocument } from "vscode-languageserver-textdocument";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { hasSameItems } from "../../../generator/ir/has-same-items.js";
import { placeDiagnostic } from "../service/diagnose/place-diagnostic.js";
import { LanguageService } from "../service/language-service.js";
import type { PlacedDiagnostic } from "../service/model/results.js";
import type {
  EditorSystem,
  OpenedProject,
  PlaceAnswers,
  ProjectTemplates,
} from "./editor-system.js";
import { toDiagnostic } from "./protocol/diagnostics.js";
import type { ProtocolPlaces } from "./protocol/places.js";

/** A document that is open in the editor. */
export interface OpenDocument {
  /** The URI in the form that the client uses. */
  readonly uri: string;
  readonly text: TextDocument;
}

/** Diagnostics of one document, as sent to the client. */
export interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: Diagnostic[];
}

/** Callbacks of a session. */
export interface SessionEvents {
  /**
   * Returns a document that is open in the editor, also in another session.
   * Input: its normalized URI.
   */
  openDocument(uri: string): OpenDocument | undefined;
  /** Called when a document in another folder than before was read. */
  readFolder(folder: string): void;
  publish(published: Published): void;
  /** Called for errors in the background. */
  failed(error: unknown): void;
}

/**
 * Minimum and maximum time that diagnostics wait for the next keystroke, in
 * milliseconds.
 */
const delayMs = { min: 1, max: 50 } as const;
/**
 * If a check takes longer than this, in milliseconds, the next one is delayed,
 * so that not every keystroke starts one.
 */
const slowMs = 30;

/** The last message about a document, and the diagnostics that it contains. */
interface Sent {
  readonly message: Published;
  readonly found: readonly PlacedDiagnostic[];
}

/** The documents of one project, open or not, with their language service. */
export class Session implements ProtocolPlaces {
  readonly service: LanguageService;
  /** Key of the project. */
  readonly project: string;
  readonly #system: EditorSystem;
  readonly #events: SessionEvents;
  #opened: OpenedProject;
  /** Open documents by their path. */
  readonly #open = new Map<string, OpenDocument>();
  /** Normalized URIs of documents by their path. */
  readonly #uris = new Map<string, string>();
  /**
   * Text of each document that the service has read, or null if it does not
   * exist. It is not open, or only in another session.
   */
  readonly #read = new Map<string, string | null>();
  /** The folders of these documents. */
  readonly #readFolders = new Set<string>();
  /** These documents with their lines, as far as places in them were needed. */
  readonly #closed = new Map<string, TextDocument>();
  /** By URI. */
  readonly #sent = new Map<string, Sent>();
  #templates: ProjectTemplates | null = null;
  /** Diagnostics of templates by path. Null if something changed since. */
  #foundInTemplates: ReadonlyMap<string, readonly PlacedDiagnostic[]> | null =
    null;
  /** Whether all documents have been checked at least once. */
  #isChecked = false;
  #timer: NodeJS.Timeout | null = null;
  #isDisposed = false;
  #lastMs = 0;

  constructor(
    project: string,
    opened: OpenedProject,
    system: EditorSystem,
    events: SessionEvents,
  ) {
    this.project = project;
    this.#opened = opened;
    this.#system = system;
    this.#events = events;
    this.service = new LanguageService({
      reader: {
        read: (path) => this.#readText(path),
        faultOf: (path) => this.#opened.reader.faultOf?.(path) ?? null,
      },
      ...opened.settings,
    });
    this.#templates = opened.templates;
  }

  /** Folders in which new or changed files can change the project. */
  get folders(): readonly string[] {
    return [...this.#opened.folders, ...this.#readFolders];
  }

  /**
   * Returns a file's path below the output folder, or null if it is outside.
   */
  findOutput(uri: string): string | null {
    return this.#opened.findOutput(uri);
  }

  get hasOpenDocuments(): boolean {
    return this.#open.size > 0;
  }

  uriOf(path: string): string {
    return this.#findOpen(path)?.uri ?? this.#normalizedUriOf(path);
  }

  versionOf(path: string): number | null {
    return this.#findOpen(path)?.text.version ?? null;
  }

  // The service found places in this text, so no other text may be used.
  textOf(path: string): TextDocument {
    const known = this.#open.get(path)?.text ?? this.#closed.get(path);
    if (known !== undefined) return known;
    const text = this.#read.get(path) ?? this.#opened.reader.read(path) ?? "";
    const uri = this.#normalizedUriOf(path);
    const document = TextDocument.create(uri, "ridl", 0, text);
    this.#closed.set(path, document);
    return document;
  }

  #findOpen(path: string): OpenDocument | undefined {
    return (
      this.#open.get(path) ??
      this.#events.openDocument(this.#normalizedUriOf(path))
    );
  }

  #normalizedUriOf(path: string): string {
    const known = this.#uris.get(path);
    if (known !== undefined) return known;
    const uri = this.#system.uriOf(this.project, path);
    this.#uris.set(path, uri);
    return uri;
  }

  /** Returns what answers questions about a place in a file. */
  answersFor(path: string): PlaceAnswers {
    return this.#templateAt(path) ?? this.service;
  }

  /** Returns the templates of the project if a file is one of them. */
  #templateAt(path: string): ProjectTemplates | null {
    return this.#templates?.includes(path) === true ? this.#templates : null;
  }

  /**
   * Whether a path is a document: RIDL, another form that the project uses, or
   * one of its templates.
   */
  isDocument(path: string, languageId: string): boolean {
    if (this.#templateAt(path) !== null) return true;
    const { settings } = this.#opened;
    const isListed = settings?.entries.includes(path) ?? false;
    const isRidl = path.endsWith(".ridl") || languageId === "ridl";
    return isRidl || isListed || this.#read.has(path);
  }

  /** Updates a document that was opened or changed. */
  setDocument(path: string, document: OpenDocument): void {
    this.#open.set(path, document);
    if (this.#templateAt(path) !== null) this.#foundInTemplates = null;
    else this.service.setDocument(path, document.text.getText());
    this.schedule();
  }

  closeDocument(path: string): void {
    this.#open.delete(path);
    this.#forget(path);
    if (this.#templateAt(path) !== null) this.#foundInTemplates = null;
    else this.service.closeDocument(path);
    this.schedule();
  }

  /** Updates a document that was opened, changed or closed in another session. */
  updateShared(path: string): void {
    const isTemplate = this.#templateAt(path) !== null;
    if (!isTemplate && !this.#read.has(path)) return;
    if (isTemplate) this.#foundInTemplates = null;
    this.#reload(path);
    this.schedule();
  }

  /** Reloads documents that changed since they were read. */
  reloadChanged(): void {
    for (const [path, text] of [...this.#read]) {
      // The reason for a missing text may have changed.
      const isSame = text !== null && this.#opened.reader.read(path) === text;
      if (isSame) continue;
      this.#reload(path);
      this.schedule();
    }
  }

  /**
   * Applies the new configuration, and reloads documents that changed on disk.
   */
  refresh(opened: OpenedProject): void {
    this.#opened = opened;
    this.#closed.clear();
    this.reloadChanged();
    if (opened.settings !== null) {
      this.service.configure(opened.settings);
      this.#templates = opened.templates;
      this.#foundInTemplates = null;
    }
    this.schedule();
  }

  /** Schedules the publication of diagnostics, unless the session has ended. */
  schedule(): void {
    if (this.#timer !== null || this.#isDisposed) return;
    const isSlow = this.#lastMs > slowMs;
    const wait = isSlow ? this.#lastMs / 4 : delayMs.min;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        const startedAt = performance.now();
        try {
          this.#publishAll();
        } catch (error) {
          this.#events.failed(error);
        }
        this.#lastMs = performance.now() - startedAt;
      },
      Math.min(wait, delayMs.max),
    );
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Clears all published diagnostics. */
  retract(): void {
    for (const uri of this.#sent.keys()) {
      this.#events.publish({ uri, diagnostics: [] });
    }
  }

  #readText(path: string): string | null {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const text = this.#opened.reader.read(path);
    this.#read.set(path, text);
    const folder = this.#opened.folderOf(path);
    if (folder !== null && !this.#readFolders.has(folder)) {
      this.#readFolders.add(folder);
      this.#events.readFolder(folder);
    }
    return text;
  }

  #reload(path: string): void {
    this.#forget(path);
    if (!this.#open.has(path)) this.service.reloadDocument(path);
  }

  #forget(path: string): void {
    this.#read.delete(path);
    this.#closed.delete(path);
  }

  #publishAll(): void {
    if (!this.#isChecked) this.#publishEarly();
    this.#isChecked = true;
    const gone = new Set(this.#sent.keys());
    const all = this.service.diagnoseAll().map(({ diagnostics, path }) => ({
      uri: this.uriOf(path),
      path,
      found: diagnostics,
    }));
    const configUri = this.#system.configUriOf(this.project);
    if (configUri !== null) {
      const [name = ""] = configUri.split("/").slice(-1);
      const config = decodeURIComponent(name);
      const byPath = new Map(this.#checkTemplates(config));
      const found = [
        ...this.#opened.diagnostics.map(placeDiagnostic),
        ...(byPath.get(config) ?? []),
      ];
      all.push({ uri: configUri, path: config, found });
      byPath.delete(config);
      for (const [path, each] of byPath) {
        all.push({ uri: this.uriOf(path), path, found: each });
      }
    }
    for (const { uri, path, found } of all) {
      gone.delete(uri);
      this.#show(uri, path, found);
    }
    for (const uri of gone) {
      this.#sent.delete(uri);
      this.#events.publish({ uri, diagnostics: [] });
    }
  }

  /**
   * Returns the diagnostics of templates and of settings about them, by path.
   * Open templates without diagnostics have an empty list.
   */
  #checkTemplates(
    config: string,
  ): ReadonlyMap<string, readonly PlacedDiagnostic[]> {
    const templates = this.#templates;
    if (this.#foundInTemplates !== null) return this.#foundInTemplates;
    const open = [...this.#open.keys()].filter((path) =>
      templates?.includes(path),
    );
    const byPath = new Map<string, PlacedDiagnostic[]>(
      open.map((path) => [path, []]),
    );
    for (const diagnostic of templates?.diagnose() ?? []) {
      const path = diagnostic.location?.source.path ?? config;
      const found = byPath.get(path) ?? [];
      byPath.set(path, [...found, placeDiagnostic(diagnostic)]);
    }
    this.#foundInTemplates = byPath;
    return byPath;
  }

  /**
   * Publishes early diagnostics of open documents, before other documents are
   * parsed.
   */
  #publishEarly(): void {
    const { settings } = this.#opened;
    if (settings?.entries.every((path) => this.#open.has(path))) return;
    for (const [path, { uri }] of this.#open) {
      if (this.#templateAt(path) !== null) continue;
      this.#show(uri, path, this.service.diagnoseEarly(path));
    }
  }

  /** Sends diagnostics if they or the version of their document changed. */
  #show(uri: string, path: string, found: readonly PlacedDiagnostic[]): void {
    const version = this.versionOf(path) ?? undefined;
    const before = this.#sent.get(uri);
    const isNewVersion = before?.message.version !== version;
    // Most diagnostics stay the same after a keystroke.
    if (before && !isNewVersion && hasSameItems(before.found, found)) return;
    const message: Published = {
      uri,
      ...(version !== undefined && { version }),
      diagnostics: found.map((each) => toDiagnostic(each, path, this)),
    };
    this.#sent.set(uri, { message, found });
    const isNews = before
      ? isNewVersion ||
        JSON.stringify(before.message) !== JSON.stringify(message)
      : version !== undefined || found.length > 0;
    if (isNews) this.#events.publish(message);
  }
}
