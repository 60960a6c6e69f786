import type {
  CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  InsertTextFormat,
  MarkupContent,
  SignatureHelp,
} from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type * as results from "../../service/model/results.js";
import { toTextEdits } from "./edits.js";
import { toRange } from "./places.js";

/** Values of `CompletionItemKind`. */
const completionKinds: Readonly<
  Record<results.CompletionKind, CompletionItemKind>
> = {
  keyword: 14,
  "core-type": 7,
  struct: 22,
  enum: 13,
  alias: 25,
  error: 23,
  service: 8,
  member: 20,
  field: 5,
  annotation: 10,
  "metadata-key": 10,
  value: 12,
  path: 17,
  helper: 3,
};

/** The value of `CompletionItemTag.Deprecated`. */
const deprecated: CompletionItemTag = 1;

/** The value of `InsertTextFormat.Snippet`. */
const snippet: InsertTextFormat = 2;

/** Creates Markdown text. */
export function toMarkup(value: string): MarkupContent {
  return { kind: "markdown", value };
}

/**
 * Converts a completion, but omits its documentation, which the client requests
 * when it shows the item. `data` identifies the completion. `hasSnippets` says
 * whether the client places the cursor at `$0`.
 */
export function toCompletionItem(
  completion: results.Completion,
  text: TextDocument,
  data: unknown,
  hasSnippets: boolean,
): CompletionItem {
  const { detail, edits, isDeprecated, kind, label, rank, span } = completion;
  const isSnippet = completion.text.includes("$0");
  const newText =
    isSnippet && !hasSnippets
      ? completion.text.replace("$0", "")
      : completion.text;
  return {
    label,
    kind: completionKinds[kind],
    ...(detail !== undefined && { detail }),
    // Clients sort these as strings. Some put equal ones in a random order.
    sortText: `${String(rank).padStart(4, "0")} ${label}`,
    // By default, clients filter by what they consider a word.
    filterText: label,
    ...(isSnippet && hasSnippets && { insertTextFormat: snippet }),
    textEdit: { range: toRange(text, span), newText },
    ...(edits.length > 0 && { additionalTextEdits: toTextEdits(edits, text) }),
    ...(isDeprecated && { tags: [deprecated] }),
    data,
  };
}

/**
 * Maximum number of completions in a list. If there are more, clients ask again
 * as the user types.
 */
const maxCompletions = 100;

/**
 * Chooses the completions to send. If there are too many, prefers those that
 * begin with the typed text.
 */
export function chooseCompletions(
  all: readonly results.Completion[],
  text: string,
): readonly results.Completion[] {
  if (all.length <= maxCompletions) return all;
  const begins = ({ label, span }: results.Completion): boolean => {
    const typed = text.slice(span.start, span.end).toLowerCase();
    return label.toLowerCase().startsWith(typed);
  };
  const ranked = all.toSorted((a, b) => a.rank - b.rank);
  return [
    ...ranked.filter(begins),
    ...ranked.filter((each) => !begins(each)),
  ].slice(0, maxCompletions);
}

/**
 * Converts the signature of the annotation or message that is being written.
 */
export function toSignatureHelp({
  active,
  docs,
  label,
  parameters,
}: results.SignatureHelp): SignatureHelp {
  return {
    signatures: [
      {
        label,
        documentation: toMarkup(docs),
        parameters: parameters.map(({ docs: own, span }) => ({
          label: [span.start, span.end],
          documentation: toMarkup(own),
        })),
      },
    ],
    activeSignature: 0,
    // An index past the last parameter highlights none.
    activeParameter: active ?? parameters.length,
  };
}
