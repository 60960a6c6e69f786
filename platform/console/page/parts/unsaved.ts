import { useEffect } from "react";

/** What would be lost, each with a mark of its own. */
const unsaved = new Set<symbol>();

const question = "Leave without saving? What you entered will be lost.";

/** Marks that leaving would lose something, as long as `isUnsaved` is true. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const mark = Symbol("unsaved");
    unsaved.add(mark);
    return () => void unsaved.delete(mark);
  }, [isUnsaved]);
}

/** Asks whether to leave if that would lose something. */
export function mayLeave(): boolean {
  return unsaved.size === 0 || window.confirm(question);
}

/**
 * Asks before the browser's Back button or a reload loses something. Must be
 * called before the page listens to the history, because it hides a navigation
 * that the user cancels.
 */
export function guardUnsaved(): void {
  let current = location.href;
  const note = (): void => {
    current = location.href;
  };
  for (const event of ["pushState", "replaceState"])
    window.addEventListener(event, note);
  window.addEventListener("popstate", (event) => {
    if (mayLeave()) return note();
    event.stopImmediatePropagation();
    history.pushState(null, "", current);
  });
  window.addEventListener("beforeunload", (event) => {
    if (unsaved.size > 0) event.preventDefault();
  });
}
