import type { Emitter } from "../emitter.js";
import { renderTemplate } from "../templates.js";
import { createExplorerData } from "./create-data.js";
import { printDataJson } from "./data-json.js";
import { explorerScript, explorerStyle } from "./embedded-page.js";
import { quoteHtml } from "./quote-html.js";

/**
 * `explorer/`: a page that shows the contract and calls its methods, in three
 * files that any static host can serve. Only where the options ask for it.
 */
export const docsEmitter: Emitter = {
  name: "docs",
  emit(contract, options) {
    if (options.docs === undefined) return [];
    const data = createExplorerData(contract, options, options.docs);
    const index = renderTemplate("docs/index.html.hbs", {
      title: quoteHtml(data.title),
      data: printDataJson(data),
    });
    return [
      { path: "explorer/index.html", text: index },
      { path: "explorer/explorer.css", text: explorerStyle },
      { path: "explorer/explorer.js", text: explorerScript },
    ];
  },
};
