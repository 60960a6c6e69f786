import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type {
  DocumentRange,
  DocumentEdit,
} from "../../../tools/editor/service/model/results.js";
import type { Documents } from "./share.js";
import {
  type CodeOptions,
  firstOptions,
  type LanguageApi,
} from "../worker/language-api.js";
import { Remote } from "../worker/remote.js";
import type { LanguageClient } from "./language-client.js";
import { ridlExtensions } from "./ridl-editor.js";

/** Listeners for events of a workspace. */
export interface WorkspaceEvents {
  /** Called when a document was changed, added or removed. */
  onChange(): void;
  /** Called when another document is shown. */
  onSwitch(): void;
  /** Called when the worker hung or failed, and was stopped. */
  onStall(): void;
}

/** Starts a worker. */
export type StartWorker = () => Worker;

/** The documents of the page, one of which is in the editor. */
export class Workspace implements LanguageClient {
  readonly view = new EditorView();
  path = "";
  #remote: Remote<LanguageApi> | null;
  readonly #states = new Map<string, EditorState>();
  readonly #events: WorkspaceEvents;
  readonly #startWorker: StartWorker;
  #options = firstOptions;
  /** Whether the worker has no documents yet. */
  #isEmpty = true;

  constructor(startWorker: StartWorker, events: WorkspaceEvents) {
    this.#startWorker = startWorker;
    this.#events = events;
    this.#remote = this.#connect();
  }

  get remote(): Remote<LanguageApi> {
    return (this.#remote ??= this.#connect());
  }

  /** Whether the worker was stopped and nothing has changed since. */
  get isStopped(): boolean {
    return this.#isEmpty;
  }

  /** The documents in the order of their tabs. */
  get documents(): Documents {
    return [...this.#current()].map(([path, { doc }]) => [
      path,
      doc.toString(),
    ]);
  }

  /** Paths of the documents. */
  get paths(): readonly string[] {
    return [...this.#states.keys()];
  }

  textOf(path: string): string {
    return this.#current().get(path)?.doc.toString() ?? "";
  }

  /** Replaces all documents and shows the first one. */
  open(documents: Documents): void {
    for (const path of this.paths) this.#send("closeDocument", path);
    this.#states.clear();
    this.path = "";
    for (const [path, text] of documents) this.#put(path, text);
    this.switchTo(documents[0]?.[0] ?? "");
    this.#events.onChange();
  }

  /** Adds a document and shows it. */
  add(path: string, text: string): void {
    this.#put(path, text);
    this.switchTo(path);
    this.#events.onChange();
  }

  /** Removes a document, unless it is the only one. */
  remove(path: string): void {
    const next = this.paths.find((each) => each !== path);
    if (next === undefined) return;
    if (path === this.path) this.switchTo(next);
    this.#states.delete(path);
    this.#send("closeDocument", path);
    this.#sendChanges([]);
    this.#events.onChange();
    this.#events.onSwitch();
  }

  /** Sets the options for generated code. */
  choose(options: CodeOptions): void {
    this.#options = options;
    this.remote.call("choose", options).catch(() => {});
    this.#sendChanges([]);
  }

  /** Shows a document. */
  switchTo(path: string): void {
    const state = this.#states.get(path);
    if (state === undefined) return;
    if (this.path !== "") this.#states.set(this.path, this.view.state);
    this.path = path;
    this.view.setState(state);
    this.#events.onSwitch();
  }

  show({ path, span }: DocumentRange): void {
    if (path !== this.path) this.switchTo(path);
    if (path !== this.path) return;
    const limit = this.view.state.doc.length;
    this.view.dispatch({
      selection: {
        anchor: Math.min(span.start, limit),
        head: Math.min(span.end, limit),
      },
      scrollIntoView: true,
    });
    this.view.focus();
  }

  apply(edits: readonly DocumentEdit[]): void {
    for (const path of new Set(edits.map((edit) => edit.path))) {
      const changes = edits
        .filter((edit) => edit.path === path)
        .map(({ replacement, span }) => ({
          from: span.start,
          to: span.end,
          insert: replacement,
        }));
      const state = this.#current().get(path);
      // The text can be shorter than when the edits were created.
      if (!state || changes.some(({ to }) => to > state.doc.length)) continue;
      if (path === this.path) this.view.dispatch({ changes });
      else this.#change(path, state.update({ changes }).state);
    }
  }

  prepareEdit(): (edits: readonly DocumentEdit[]) => void {
    const known = new Map(
      [...this.#current()].map(([path, { doc }]) => [path, doc]),
    );
    return (edits) => {
      const documents = this.#current();
      const isCurrent = edits.every(
        ({ path }) => documents.get(path)?.doc === known.get(path),
      );
      if (isCurrent) this.apply(edits);
    };
  }

  /** Returns the documents, with the current text of the editor. */
  #current(): ReadonlyMap<string, EditorState> {
    if (this.path !== "") this.#states.set(this.path, this.view.state);
    return this.#states;
  }

  #put(path: string, text: string): void {
    const onChange = (): void => this.#change(path, this.view.state);
    const extensions = ridlExtensions(this, onChange);
    this.#change(path, EditorState.create({ doc: text, extensions }), false);
  }

  #change(path: string, state: EditorState, isEdit = true): void {
    this.#states.set(path, state);
    this.#sendChanges([path]);
    if (isEdit) this.#events.onChange();
  }

  /** Sends the changed documents, or all documents to a new worker. */
  #sendChanges(changed: readonly string[]): void {
    const paths = this.#isEmpty ? this.paths : changed;
    this.#isEmpty = false;
    for (const path of paths) {
      const text = this.#states.get(path)?.doc.toString() ?? "";
      this.#send("setDocument", path, text);
    }
  }

  #connect(): Remote<LanguageApi> {
    const remote = new Remote<LanguageApi>(this.#startWorker(), () => {
      // Start a new worker only when it is needed, because it could fail, too.
      this.#remote = null;
      // The documents may have caused the hang, so they are sent again
      // only with the next change.
      this.#isEmpty = true;
      this.#events.onStall();
    });
    remote.call("choose", this.#options).catch(() => {});
    return remote;
  }

  /** Ignores errors, because the next request for a result reports them. */
  #send(name: "closeDocument", path: string): void;
  #send(name: "setDocument", path: string, text: string): void;
  #send(name: "closeDocument" | "setDocument", path: string, text = ""): void {
    const sent =
      name === "closeDocument"
        ? this.remote.call(name, path)
        : this.remote.call(name, path, text);
    sent.catch(() => {});
  }
}
