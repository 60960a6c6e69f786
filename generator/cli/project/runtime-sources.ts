import { posix } from "node:path";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import { invariant } from "../../ir/invariant.js";
import type { System } from "../system/system.js";

/**
 * The runtime as it is shipped in the package, by path in it: its TypeScript, or
 * the JavaScript and declarations that are compiled from that.
 */
export function readRuntime(
  system: System,
  { language = "typescript" }: Pick<EmitOptions, "language"> = {},
): ReadonlyMap<string, string> {
  const folder = language === "typescript" ? "runtime" : "runtime/dist";
  return readBelow(system, posix.join(system.packageFolder, folder), "");
}

/** What is not TypeScript of the runtime, but made of it or for it. */
const others: ReadonlySet<string> = new Set(["dist", "node_modules"]);

/** The explorer's script and style as they are shipped in the package, by name. */
export function readExplorer(system: System): ReadonlyMap<string, string> {
  const folder = posix.join(system.packageFolder, "dist/explorer");
  const files = readBelow(system, folder, "");
  invariant(files.size > 0, "dist/explorer is not built: run `npm run build`");
  return files;
}

function readBelow(
  system: System,
  root: string,
  folder: string,
): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const entry of system.listFolder(posix.join(root, folder)) ?? []) {
    const path = posix.join(folder, entry.name);
    if (others.has(entry.name)) continue;
    if (entry.isFolder) {
      for (const [name, text] of readBelow(system, root, path)) {
        sources.set(name, text);
      }
    } else if (/\.(?:[jt]s|css)$/u.test(path)) {
      sources.set(path, system.readText(posix.join(root, path)) ?? "");
    }
  }
  return sources;
}
