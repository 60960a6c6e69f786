import { h } from "./element.js";

/**
 * The number of characters to keep, from the end. Longer text is slow to lay
 * out, and the final response shows more.
 */
const maxShown = 50_000;

/** A view that shows the end of a growing text. */
export interface LiveLines {
  readonly element: HTMLElement;
  add(line: string): void;
}

/**
 * Shows lines as they arrive. Draws at most once per frame, because a layout
 * for each line would block the page.
 */
export function createLiveLines(label: string): LiveLines {
  const element = h("pre", {
    tabindex: "0",
    role: "region",
    "aria-label": label,
  });
  let shown = "";
  let isWaiting = false;
  const draw = (): void => {
    isWaiting = false;
    element.textContent = shown;
    element.scrollTop = element.scrollHeight;
  };
  return {
    element,
    add: (line) => {
      shown = `${shown}${line}\n`.slice(-maxShown);
      if (!isWaiting) requestAnimationFrame(draw);
      isWaiting = true;
    },
  };
}
