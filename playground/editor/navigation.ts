import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { ask, type LanguageClient } from "./language-client.js";

/** Goes to definitions, by key and by pointer. */
export function navigation(client: LanguageClient): Extension {
  return [
    keymap.of([
      {
        key: "F12",
        run: ({ state }) => start(goTo(client, state.selection.main.head)),
      },
    ]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!event.ctrlKey && !event.metaKey) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (offset === null) return false;
        event.preventDefault();
        return start(goTo(client, offset));
      },
    }),
  ];
}

function start(work: Promise<void>): true {
  void work;
  return true;
}

async function goTo(client: LanguageClient, offset: number): Promise<void> {
  const { path, remote } = client;
  const targets = await ask(remote.call("definition", path, offset));
  const [target] = targets ?? [];
  if (target) client.show({ path: target.path, span: target.nameSpan });
}
