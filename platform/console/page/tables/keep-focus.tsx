import { useLayoutEffect, useRef, type ReactNode } from "react";

const focusable = "a[href], button:not(:disabled), input, select";

/**
 * Keeps the focus in a list if the focused element disappears, for example
 * because its row was removed. The browser would otherwise move the focus to
 * the start of the page.
 */
export function KeepFocus({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  /** The element that had the focus last, and the position of its row. */
  const last = useRef<{ element: Element; row: number } | null>(null);
  useLayoutEffect(() => {
    const element = last.current?.element;
    if (element === undefined || document.activeElement !== document.body) {
      return;
    }
    const rows = box.current?.querySelectorAll("tbody tr") ?? [];
    const row = rows[Math.min(last.current?.row ?? 0, rows.length - 1)];
    const next = element.isConnected ? element : row?.querySelector(focusable);
    const target = next instanceof HTMLElement ? next : box.current;
    target?.focus({ preventScroll: true });
  });
  return (
    <div
      ref={box}
      tabIndex={-1}
      className="keep-focus"
      onFocus={({ target }) => {
        // Dialogs of this list are elsewhere in the document.
        if (box.current?.contains(target) !== true || target === box.current)
          return;
        const rows = box.current.querySelectorAll("tbody tr");
        const row = [...rows].findIndex((each) => each.contains(target));
        last.current = { element: target, row: Math.max(row, 0) };
      }}
      onBlur={({ relatedTarget, target }) => {
        // The element loses the focus because it is removed or disabled.
        const isLost = !target.isConnected || target.matches(":disabled");
        const isOutside = box.current?.contains(relatedTarget) !== true;
        const isDialog = relatedTarget?.closest("[role$=dialog]") != null;
        if (!isLost && isOutside && !isDialog) last.current = null;
      }}
    >
      {children}
    </div>
  );
}
