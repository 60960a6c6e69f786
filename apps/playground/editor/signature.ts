import {
  type Extension,
  Prec,
  StateEffect,
  StateField,
} from "@codemirror/state";
import {
  EditorView,
  keymap,
  showTooltip,
  type Tooltip,
  type ViewUpdate,
} from "@codemirror/view";
import { h } from "../../explorer/views/element.js";
import type { SignatureHelp } from "../../../tools/editor/service/model/results.js";
import { ask, type LanguageClient } from "./language-client.js";
import { renderMarkdown } from "./markdown.js";

const setTooltip = StateEffect.define<Tooltip | null>();

const tooltip = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { effects }) =>
    effects.reduce(
      (current, effect) => (effect.is(setTooltip) ? effect.value : current),
      shown,
    ),
  provide: (field) => showTooltip.from(field),
});

/**
 * Shows the signature while the user enters a value, from the character before
 * the value, such as `(`, until the cursor leaves the value. Escape hides the
 * signature until the next such character.
 */
export function signatureHelp(client: LanguageClient): Extension {
  let serial = 0;
  const update = async (view: EditorView): Promise<void> => {
    serial += 1;
    const own = serial;
    // The change must reach the worker before this request.
    await Promise.resolve();
    const { head } = view.state.selection.main;
    const help = await ask(
      client.remote.call("signatureHelp", client.path, head),
    );
    if (own !== serial) return;
    const shown = help && {
      pos: head,
      above: true,
      create: () => ({ dom: print(help) }),
    };
    view.dispatch({ effects: setTooltip.of(shown) });
  };
  return [
    tooltip,
    EditorView.updateListener.of((change) => {
      const isShown = change.startState.field(tooltip) !== null;
      const isMoved = change.docChanged || change.selectionSet;
      if (isMoved && (isShown || begins(change))) void update(change.view);
    }),
    Prec.highest(
      keymap.of([
        {
          key: "Mod-Shift-Space",
          run: (view) => {
            void update(view);
            return true;
          },
        },
        {
          key: "Escape",
          run: (view) => {
            serial += 1;
            view.dispatch({ effects: setTooltip.of(null) });
            // Escape also closes the list of completions.
            return false;
          },
        },
      ]),
    ),
  ];
}

/** Whether the user typed a character that starts a value or the next one. */
function begins({ docChanged, state, transactions }: ViewUpdate): boolean {
  const { head } = state.selection.main;
  return (
    docChanged &&
    transactions.some((each) => each.isUserEvent("input.type")) &&
    "(,:".includes(state.sliceDoc(head - 1, head) || " ")
  );
}

function print({
  active,
  docs,
  label,
  parameters,
}: SignatureHelp): HTMLElement {
  const parameter = active === null ? undefined : parameters[active];
  const { start, end } = parameter?.span ?? { start: 0, end: 0 };
  return h(
    "div",
    { class: "signature" },
    h(
      "code",
      {},
      label.slice(0, start),
      h("strong", {}, label.slice(start, end)),
      label.slice(end),
    ),
    renderMarkdown([docs, parameter?.docs ?? ""].join("\n\n")),
  );
}
