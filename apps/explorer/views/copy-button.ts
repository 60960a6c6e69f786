import { button } from "./element.js";

/** How long the button shows the result, in milliseconds. */
const feedbackMs = 1500;

/**
 * Creates a button that copies text. Input: a description of the text for
 * screen readers, and the label.
 */
export function copyButton(
  what: string,
  textOf: () => string,
  label = "Copy",
): HTMLButtonElement {
  const copy = button(
    label,
    async () => {
      const say = (text: string): void => {
        copy.textContent = text;
        setTimeout(() => {
          copy.textContent = label;
        }, feedbackMs);
      };
      try {
        // Over HTTP, there is no clipboard.
        await navigator.clipboard.writeText(textOf());
        say("Copied");
      } catch {
        say("Not allowed");
      }
    },
    { class: "small copy", "aria-label": `Copy ${what}` },
  );
  return copy;
}
