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
   * Returns the text of an open file, either a document or the configuration.
   */
  openText(uri: string): TextDocument | undefined;
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
  /** URIs of documents that are not open. */
  readonly #uris = new Map<string, string>();
  /**
   * Text of each file that the service has read from disk, or null if there was
   * no file.
   */
  readonly #read = new Map<string, string | null>();
  /** Text of each document that is not open. */
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
        read: (path) => this.#readDisk(path),
        faultOf: (path) => this.#opened.reader.faultOf?.(path) ?? null,
      },
      ...opened.settings,
    });
    this.#openTemplates(opened);
  }

  /** Folders in which new files can change the project. */
  get folders(): readonly string[] {
    return this.#opened.folders;
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
    const known = this.#open.get(path)?.uri ?? this.#uris.get(path);
    if (known !== undefined) return known;
    const uri = this.#system.uriOf(this.project, path);
    this.#uris.set(path, uri);
    return uri;
  }

  versionOf(path: string): number | null {
    return this.#events.openText(this.uriOf(path))?.version ?? null;
  }

  textOf(path: string): TextDocument {
    const uri = this.uriOf(path);
    const known = this.#events.openText(uri) ?? this.#closed.get(path);
    if (known !== undefined) return known;
    const text = this.#read.get(path) ?? this.#opened.reader.read(path) ?? "";
    const document = TextDocument.create(uri, "ridl", 0, text);
    this.#closed.set(path, document);
    return document;
  }

  /** Returns what answers questions about a place in a file. */
  answersFor(path: string): PlaceAnswers {
    return this.#templateAt(path) ?? this.service;
  }

  /** Returns the templates of the project if a file is one of them. */
  #templateAt(path: string): ProjectTemplates | null {
    return this.#templates?.includes(path) === true ? this.#templates : null;
  }

  #openTemplates({ openTemplates }: OpenedProject): void {
    this.#foundInTemplates = null;
    this.#templates =
      openTemplates?.((path) => this.#open.get(path)?.text.getText()) ?? null;
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

  /**
   * Applies the new configuration, and reloads documents that changed on disk.
   */
  refresh(opened: OpenedProject): void {
    this.#opened = opened;
    this.#closed.clear();
    const before = [...this.#read];
    for (const [path, text] of before) {
      // The reason for a missing text may have changed.
      if (text !== null && opened.reader.read(path) === text) continue;
      this.#forget(path);
      if (!this.#open.has(path)) this.service.reloadDocument(path);
    }
    if (opened.settings !== null) {
      this.service.configure(opened.settings);
      this.#openTemplates(opened);
    }
    this.schedule();
  }

  /** Schedules the publication of diagnostics. */
  schedule(): void {
    if (this.#timer !== null) return;
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
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Clears all published diagnostics. */
  retract(): void {
    for (const uri of this.#sent.keys()) {
      this.#events.publish({ uri, diagnostics: [] });
    }
  }

  #readDisk(path: string): string | null {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const text = this.#opened.reader.read(path);
    this.#read.set(path, text);
    return text;
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
