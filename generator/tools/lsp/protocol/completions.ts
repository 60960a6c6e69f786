import {
  CompletionItemKind,
  CompletionItemTag,
  InsertTextFormat,
  MarkupKind,
  type CompletionItem,
  type MarkupContent,
  type SignatureHelp,
} from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type * as results from "../../../language-service/model/results.js";
import { toTextEdits } from "./edits.js";
import { toRange } from "./places.js";

const completionKinds: Readonly<
  Record<results.CompletionKind, CompletionItemKind>
> = {
  keyword: CompletionItemKind.Keyword,
  "core-type": CompletionItemKind.Class,
  struct: CompletionItemKind.Struct,
  enum: CompletionItemKind.Enum,
  alias: CompletionItemKind.TypeParameter,
  error: CompletionItemKind.Event,
  service: CompletionItemKind.Interface,
  member: CompletionItemKind.EnumMember,
  field: CompletionItemKind.Field,
  annotation: CompletionItemKind.Property,
  "metadata-key": CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  path: CompletionItemKind.File,
};

/** Text in Markdown. */
export function toMarkup(value: string): MarkupContent {
  return { kind: MarkupKind.Markdown, value };
}

/**
 * A completion without its documentation, which the client asks for when it
 * shows it.
 * Input: `data` finds the completion again; `hasSnippets` is whether the client
 * knows where `$0` puts the cursor.
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
    // Clients sort these as texts.
    sortText: String(rank).padStart(4, "0"),
    // By default clients compare with what they take for a word.
    filterText: label,
    insertTextFormat:
      isSnippet && hasSnippets
        ? InsertTextFormat.Snippet
        : InsertTextFormat.PlainText,
    textEdit: { range: toRange(text, span), newText },
    ...(edits.length > 0 && { additionalTextEdits: toTextEdits(edits, text) }),
    ...(isDeprecated && { tags: [CompletionItemTag.Deprecated] }),
    data,
  };
}

/** What is being filled in at a place. */
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
    // A number past the last one highlights none.
    activeParameter: active ?? parameters.length,
  };
}
