import type { EditorView } from "@codemirror/view";
import type {
  DocumentRange,
  DocumentEdit,
} from "../../../tools/editor/service/model/results.js";
import type { LanguageApi } from "../worker/language-api.js";
import type { Remote } from "../worker/remote.js";

/** The interface between the parts of the editor and the workspace. */
export interface LanguageClient {
  /** The language worker. If it was stopped, this starts a new one. */
  readonly remote: Remote<LanguageApi>;
  /** Path of the document in the editor. */
  readonly path: string;
  readonly view: EditorView;
  /** Returns the text of a document, or "" if there is no such document. */
  textOf(path: string): string;
  /** Changes documents, including hidden ones. */
  apply(edits: readonly DocumentEdit[]): void;
  /**
   * Returns a function that applies edits to the current documents. It has no
   * effect if one of them has changed by then, because the offsets of the edits
   * would be wrong.
   */
  prepareEdit(): (edits: readonly DocumentEdit[]) => void;
  /** Shows a place in its tab. */
  show(place: DocumentRange): void;
}

/**
 * Waits for a response from the worker. Returns null if the call failed or the
 * worker was stopped.
 */
export async function ask<Value>(
  answer: Promise<Value>,
): Promise<Value | null> {
  try {
    return await answer;
  } catch {
    return null;
  }
}
