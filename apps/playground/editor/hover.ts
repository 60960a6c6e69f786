import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { ask, type LanguageClient } from "./language-client.js";
import { renderMarkdown } from "./markdown.js";

/** Shows information about the word under the pointer. */
export function hover(client: LanguageClient): Extension {
  return hoverTooltip(async (_, offset) => {
    const found = await ask(client.remote.call("hover", client.path, offset));
    if (found === null) return null;
    const { markdown, span } = found;
    return {
      pos: span.start,
      end: span.end,
      create: () => ({ dom: renderMarkdown(markdown) }),
    };
  });
}
