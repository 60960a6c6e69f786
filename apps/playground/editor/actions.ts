import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { DocumentRange } from "../../../tools/editor/service/model/results.js";
import { type Choice, offerChoices } from "../dialogs/choose.js";
import { ask, type LanguageClient } from "./language-client.js";
import { goTo, rename } from "./navigation.js";

/** Adds keyboard shortcuts for actions and references. */
export function actions(client: LanguageClient): Extension {
  return keymap.of([
    { key: "Mod-.", run: () => start(showActions(client)) },
    { key: "Shift-F12", run: () => start(showReferences(client)) },
  ]);
}

function start(work: Promise<void>): true {
  void work;
  return true;
}

/** Shows the actions for the selection. */
export async function showActions(client: LanguageClient): Promise<void> {
  const { path, remote, view } = client;
  const { from, head, to } = view.state.selection.main;
  const apply = client.prepareEdit();
  const span = { start: from, end: to };
  const found = await ask(remote.call("codeActions", path, span));
  const targets = await ask(remote.call("definition", path, head));
  const name = await ask(remote.call("prepareRename", path, head));
  const edits = (found ?? []).map(({ edits, title }): Choice => ({
    label: title.charAt(0).toUpperCase() + title.slice(1),
    choose: () => {
      apply(edits);
      view.focus();
    },
  }));
  const navigation: Choice[] = [
    { label: "Go to definition", choose: () => void goTo(client, head) },
    { label: "Find references", choose: () => void showReferences(client) },
  ];
  const renaming: Choice = {
    label: `Rename ${name?.name}`,
    choose: () => void rename(client, head),
  };
  offerChoices(
    "Actions",
    [
      ...edits,
      ...(targets?.length ? navigation : []),
      ...(name === null ? [] : [renaming]),
    ],
    "No actions are available at the cursor.",
  );
}

/** Lists the references to the name at the cursor. */
async function showReferences(client: LanguageClient): Promise<void> {
  const { path, remote, view } = client;
  const { head } = view.state.selection.main;
  const places = await ask(remote.call("references", path, head, true));
  offerChoices(
    "References",
    (places ?? []).map((place) => ({
      ...describe(place, client.textOf(place.path)),
      choose: () => client.show(place),
    })),
    "There are no references to the name at the cursor.",
  );
}

/** Describes a place by its line of text, its path, and its line number. */
function describe(
  { path, span }: DocumentRange,
  text: string,
): Pick<Choice, "detail" | "label"> {
  const before = text.slice(0, span.start).split("\n");
  const [rest = ""] = text.slice(span.start).split("\n");
  const label = `${before.at(-1) ?? ""}${rest}`.trim();
  return { label, detail: `${path}:${before.length}` };
}
