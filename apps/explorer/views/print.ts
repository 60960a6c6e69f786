/** The maximum number of parts that are opened, because types can be deep. */
const maxParts = 1000;

/**
 * Opens everything that is collapsed while the page is printed, because a reader
 * of the print cannot.
 */
export function openWhilePrinted(root: HTMLElement): void {
  const opened: HTMLDetailsElement[] = [];
  window.addEventListener("beforeprint", () => {
    // Parts create their contents when they are opened.
    for (let part = closedPart(root); part !== null; part = closedPart(root)) {
      part.open = true;
      part.dispatchEvent(new Event("toggle"));
      opened.push(part);
      if (opened.length === maxParts) return;
    }
  });
  window.addEventListener("afterprint", () => {
    for (const part of opened.splice(0)) part.open = false;
  });
}

function closedPart(root: HTMLElement): HTMLDetailsElement | null {
  return root.querySelector<HTMLDetailsElement>("details:not([open])");
}
