import { micromark } from "micromark";

/** Shows Markdown. HTML is escaped, and unsafe links are removed. */
export function renderMarkdown(markdown: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "markdown";
  // micromark escapes HTML and drops URLs such as `javascript:`.
  element.innerHTML = micromark(markdown);
  for (const link of element.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noreferrer";
  }
  return element;
}
