import { h } from "./element.js";

/** How long a button says that it has done its work. */
const thanksMs = 1500;

/**
 * A button that copies a text. Input: what it copies, for screen readers, and
 * what the button says.
 */
export function copyButton(
  what: string,
  textOf: () => string,
  label = "Copy",
): HTMLButtonElement {
  const copy = h(
    "button",
    {
      type: "button",
      class: "small copy",
      "aria-label": `Copy ${what}`,
      onclick: () => {
        const say = (text: string): void => {
          copy.textContent = text;
          setTimeout(() => {
            copy.textContent = label;
          }, thanksMs);
        };
        navigator.clipboard.writeText(textOf()).then(
          () => say("Copied"),
          () => say("Not allowed"),
        );
      },
    },
    label,
  );
  return copy;
}
