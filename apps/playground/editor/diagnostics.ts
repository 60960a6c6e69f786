import { type Action, type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import type { PlacedDiagnostic } from "../../../tools/editor/service/model/results.js";
import type { LanguageClient } from "./language-client.js";

/** Underlines the diagnostics of the document in the editor. */
export function showDiagnostics(
  client: LanguageClient,
  found: readonly PlacedDiagnostic[],
): void {
  const { view } = client;
  const apply = client.prepareEdit();
  const marks = found.map((each) => toMark(apply, each, view));
  view.dispatch(setDiagnostics(view.state, marks));
}

function toMark(
  apply: ReturnType<LanguageClient["prepareEdit"]>,
  found: PlacedDiagnostic,
  { state }: EditorView,
): Diagnostic {
  const { code, fix, severity, span } = found;
  const limit = state.doc.length;
  const from = Math.min(span.start, limit);
  const actions: Action[] =
    fix === undefined ? [] : [{ name: "Fix", apply: () => apply([fix.edit]) }];
  return {
    from,
    to: Math.min(Math.max(span.end, from), limit),
    severity,
    source: code,
    message: textOf(found),
    actions,
  };
}

/** Returns the text of a diagnostic: its message, notes and help. */
function textOf({ help, message, notes }: PlacedDiagnostic): string {
  const lines = [message, ...notes];
  return [...lines, ...(help === undefined ? [] : [`help: ${help}`])].join(
    "\n",
  );
}
