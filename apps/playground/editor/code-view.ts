import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/** Languages of generated files by file extension. */
const languages: Readonly<Record<string, () => Extension>> = {
  ts: () => javascript({ typescript: true }),
  js: () => javascript(),
  json,
  yaml,
};

/** Creates a read-only view of generated files. */
export function createCodeView(): EditorView {
  return new EditorView({ state: codeState("", "") });
}

/** Creates the state of the view for a file. */
export function codeState(path: string, text: string): EditorState {
  const language = languages[path.slice(path.lastIndexOf(".") + 1)];
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      EditorState.readOnly.of(true),
      syntaxHighlighting(classHighlighter),
      EditorView.contentAttributes.of({
        "aria-label": `Generated file ${path}`,
        "aria-readonly": "true",
        tabindex: "0",
      }),
      language === undefined ? EditorView.lineWrapping : language(),
    ],
  });
}
