import type { EditorView } from "@codemirror/view";
import type {
  Place,
  DocumentEdit,
} from "../../generator/language-service/model/results.js";
import type { LanguageApi } from "../worker/language-api.js";
import type { Remote } from "../worker/remote.js";

/** What the parts of the editor ask for and act through. */
export interface LanguageClient {
  /** The worker that answers; another one after it had to be ended. */
  readonly remote: Remote<LanguageApi>;
  /** Path of the document in the editor. */
  readonly path: string;
  readonly view: EditorView;
  /** Text of a document; empty if there is none. */
  textOf(path: string): string;
  /** Changes documents, also those that are not shown. */
  apply(edits: readonly DocumentEdit[]): void;
  /** Shows a place, in its tab. */
  show(place: Place): void;
}

/** Asks the worker. Output: null if it was ended, or failed. */
export async function ask<Value>(
  answer: Promise<Value>,
): Promise<Value | null> {
  try {
    return await answer;
  } catch {
    return null;
  }
}
