/**
 * Clicks a button, and in the next task clicks it again or presses the key
 * `next`. Events that had to wait arrive as fast.
 */
export function clickAndThen(button: HTMLElement, next: string): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    if (next === "click") button.click();
    else
      document.dispatchEvent(
        new KeyboardEvent("keydown", { key: next, cancelable: true }),
      );
  };
  port2.postMessage(null);
  button.click();
}
