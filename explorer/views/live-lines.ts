import { h } from "./element.js";

/** So much is laid out in no time; the rest stands in the answer. */
const maxShown = 50_000;

/** The end of a text that grows. */
export interface LiveLines {
  readonly element: HTMLElement;
  add(line: string): void;
}

/**
 * Shows lines as they come, however fast and many: drawn once for each picture,
 * because a page that is laid out for each line stands still.
 */
export function createLiveLines(label: string): LiveLines {
  const element = h("pre", { tabindex: "0", "aria-label": label });
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
