/** Names of what the browser remembers. */
type Name = "ridl-console-theme" | "ridl-console-session";

/** Returns a remembered text, or "" if there is none or storage is disabled. */
export function remembered(name: Name): string {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** Remembers a text, unless storage is disabled. */
export function remember(name: Name, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    return;
  }
}
