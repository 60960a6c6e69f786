import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type {
  Completion as Found,
  CompletionKind,
} from "../../../tools/editor/service/model/results.js";
import { ask, type LanguageClient } from "./language-client.js";
import { renderMarkdown } from "./markdown.js";

/** CodeMirror's icons by kind of completion. */
const icons: Readonly<Record<CompletionKind, string>> = {
  keyword: "keyword",
  "core-type": "type",
  struct: "class",
  enum: "enum",
  alias: "type",
  error: "constant",
  service: "interface",
  member: "constant",
  field: "property",
  annotation: "keyword",
  "metadata-key": "property",
  value: "text",
  path: "text",
  helper: "function",
};

/** Completes names, keys and values with the language service. */
export function completion(client: LanguageClient): Extension {
  const source = async (
    context: CompletionContext,
  ): Promise<CompletionResult | null> => {
    const { explicit, pos } = context;
    const isTyping = context.matchBefore(/[\w@+"]$/u) !== null;
    if (!explicit && !isTyping) return null;
    const found = await ask(client.remote.call("complete", client.path, pos));
    const [first] = found ?? [];
    if (found === null || first === undefined) return null;
    const options = found.map((each) => toOption(client, each));
    return { from: first.span.start, options, validFor: /^[\w@./-]*$/u };
  };
  return autocompletion({ override: [source] });
}

function toOption(client: LanguageClient, found: Found): Completion {
  const { detail, docs, kind, label, rank } = found;
  return {
    label,
    type: icons[kind],
    boost: -Math.min(rank, 99),
    ...(detail !== undefined && { detail }),
    ...(docs !== "" && { info: () => renderMarkdown(docs) }),
    apply: (view, completion, from, to) => {
      insert(view, found, from, to);
      view.dispatch({ annotations: pickedCompletion.of(completion) });
      client.apply(found.edits);
    },
  };
}

function insert(
  view: EditorView,
  { text }: Found,
  from: number,
  to: number,
): void {
  const cursor = text.indexOf("$0");
  const inserted = text.replace("$0", "");
  view.dispatch({
    changes: { from, to, insert: inserted },
    selection: { anchor: from + (cursor < 0 ? inserted.length : cursor) },
    userEvent: "input.complete",
  });
}
