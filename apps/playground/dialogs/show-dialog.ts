/**
 * Shows a modal dialog until it is closed. Has no effect if another dialog is
 * open: the worker can answer a second click after it has answered the first.
 */
export function showDialog(dialog: HTMLDialogElement): void {
  if (document.querySelector("dialog[open]") !== null) return;
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
