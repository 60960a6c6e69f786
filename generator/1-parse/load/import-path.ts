/**
 * Where an import leads: relative to the folder of the importing document. A
 * leading `/` does not make it absolute, as in webrpc.
 * Input: `schema/api.ridl`, `../shared/common.ridl`. Output: `shared/common.ridl`.
 */
export function joinImportPath(importer: string, path: string): string {
  const folder = importer.slice(0, importer.lastIndexOf("/") + 1);
  return normalizePath(`${folder}${path.replace(/^\/+/, "")}`);
}

/**
 * Removes `.`, inner `..` and doubled slashes; a leading `/` or `..` stays.
 * Input: `./schema//api.ridl`. Output: `schema/api.ridl`.
 */
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
