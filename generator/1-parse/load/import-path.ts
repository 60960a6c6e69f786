/**
 * Resolves an import path relative to the importing document. As in webrpc, a
 * leading `/` does not make the path absolute.
 */
export function joinImportPath(importer: string, path: string): string {
  const folder = importer.slice(0, importer.lastIndexOf("/") + 1);
  return normalizePath(`${folder}${path.replace(/^\/+/, "")}`);
}

/** Resolves `.` and `..` where possible, and removes repeated slashes. */
export function normalizePath(path: string): string {
  const isAbsolute = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    const canGoUp = parts.length > 0 && parts.at(-1) !== "..";
    if (part !== "..") parts.push(part);
    else if (canGoUp) parts.pop();
    else if (!isAbsolute) parts.push(part);
  }
  return `${isAbsolute ? "/" : ""}${parts.join("/")}`;
}
