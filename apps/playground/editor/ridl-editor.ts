import {
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyKeymap,
  toggleComment,
} from "@codemirror/commands";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { actions } from "./actions.js";
import { completion } from "./completion.js";
import { hover } from "./hover.js";
import type { LanguageClient } from "./language-client.js";
import { navigation } from "./navigation.js";
import { ridlLanguage } from "./ridl-language.js";
import { signatureHelp } from "./signature.js";
import { tokenColors } from "./token-colors.js";

/**
 * Returns the extensions of the editor. `onChange` is called after each change.
 */
export function ridlExtensions(
  client: LanguageClient,
  onChange: () => void,
): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    closeBrackets(),
    EditorState.tabSize.of(2),
    EditorState.languageData.of(() => [
      {
        commentTokens: { line: "#" },
        closeBrackets: { brackets: ["(", "[", '"'] },
      },
    ]),
    ridlLanguage,
    tokenColors,
    // This must precede completion, which also handles the Escape key.
    signatureHelp(client),
    completion(client),
    hover(client),
    navigation(client),
    actions(client),
    keymap.of([
      { key: "Mod-/", run: toggleComment },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({
      "aria-label": "Contract in RIDL",
      tabindex: "0",
    }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) onChange();
    }),
  ];
}
