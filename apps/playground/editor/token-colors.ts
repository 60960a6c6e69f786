import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { SemanticToken } from "../../../tools/editor/service/model/results.js";

/** Sets the tokens of the current text. */
export const setTokens = StateEffect.define<readonly SemanticToken[]>();

/**
 * Colors words by their meaning. Between updates, the marks move with the text.
 */
export const tokenColors: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const moved = marks.map(transaction.changes);
    return transaction.effects.reduce(
      (current, effect) =>
        effect.is(setTokens) ? toMarks(effect.value) : current,
      moved,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

function toMarks(tokens: readonly SemanticToken[]): DecorationSet {
  return Decoration.set(
    tokens
      .filter(({ span }) => span.start < span.end)
      .map(({ span, type }) =>
        Decoration.mark({ class: `token-${type}` }).range(span.start, span.end),
      ),
    true,
  );
}
