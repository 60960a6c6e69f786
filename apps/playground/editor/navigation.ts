import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { askName } from "../dialogs/ask-name.js";
import { ask, type LanguageClient } from "./language-client.js";

/**
 * Adds keyboard shortcuts and clicks for go to definition, rename and format.
 */
export function navigation(client: LanguageClient): Extension {
  return [
    keymap.of([
      {
        key: "F12",
        run: ({ state }) => start(goTo(client, state.selection.main.head)),
      },
      {
        key: "F2",
        run: ({ state }) => start(rename(client, state.selection.main.head)),
      },
      { key: "Shift-Alt-f", run: () => start(format(client)) },
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

/** Shows the declaration of the name at an offset. */
export async function goTo(
  client: LanguageClient,
  offset: number,
): Promise<void> {
  const { path, remote } = client;
  const targets = await ask(remote.call("definition", path, offset));
  const [target] = targets ?? [];
  if (target) client.show({ path: target.path, span: target.nameSpan });
}

/** Renames the declaration at an offset in all documents. */
export async function rename(
  client: LanguageClient,
  offset: number,
): Promise<void> {
  const { path, remote } = client;
  const found = await ask(remote.call("prepareRename", path, offset));
  if (found === null) return;
  await askName(`Rename ${found.name}`, found.name, async (name) => {
    const apply = client.prepareEdit();
    const result = await ask(remote.call("rename", path, offset, name));
    if (result === null) return "The language service did not respond.";
    if (result.kind === "refused") return result.message;
    apply(result.edits);
    return null;
  });
}

/** Formats the document. */
export async function format(client: LanguageClient): Promise<void> {
  const { path, remote } = client;
  const apply = client.prepareEdit();
  apply((await ask(remote.call("format", path))) ?? []);
}
