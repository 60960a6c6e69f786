import type { EditorView } from "@codemirror/view";
import type {
  Place,
  DocumentEdit,
} from "../../generator/language-service/model/results.js";
import type { LanguageApi } from "../worker/language-api.js";
import type { Remote } from "../worker/remote.js";

/** The interface between the parts of the editor and the workspace. */
export interface LanguageClient {
  /** The language worker. If it has to be stopped, a new one replaces it. */
  readonly remote: Remote<LanguageApi>;
  /** Path of the document in the editor. */
  readonly path: string;
  readonly view: EditorView;
  /** Returns the text of a document, or "" if there is no such document. */
  textOf(path: string): string;
  /** Changes documents, including hidden ones. */
  apply(edits: readonly DocumentEdit[]): void;
  /** Shows a place in its tab. */
  show(place: Place): void;
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
