import { posix } from "node:path";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import { invariant } from "../../ir/invariant.js";
import type { System } from "../system/system.js";

/**
 * Reads the runtime that the package contains: its TypeScript, or the
 * JavaScript and declarations compiled from it. Returns the contents of the
 * files by path.
 */
export function readRuntime(
  system: System,
  {
    language = "typescript",
    declarations = true,
  }: Pick<EmitOptions, "language" | "declarations">,
): ReadonlyMap<string, string> {
  const folder = language === "typescript" ? "runtime" : "runtime/dist";
  const root = posix.join(system.packageFolder, folder);
  return readBelow(system, root, "", declarations ? written : /\.js$/u);
}

/** Folders of the runtime that do not contain its TypeScript. */
const others: ReadonlySet<string> = new Set(["dist", "node_modules"]);

/**
 * Reads the explorer's script and styles from the package. Returns their
 * contents by name.
 */
export function readExplorer(system: System): ReadonlyMap<string, string> {
  const folder = posix.join(system.packageFolder, "dist/explorer");
  const files = readBelow(system, folder, "", written);
  invariant(files.size > 0, "dist/explorer is not built: run `npm run build`");
  return files;
}

const written = /\.(?:[jt]s|css)$/u;

function readBelow(
  system: System,
  root: string,
  folder: string,
  pattern: RegExp,
): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const entry of system.listFolder(posix.join(root, folder)) ?? []) {
    const path = posix.join(folder, entry.name);
    if (others.has(entry.name)) continue;
    if (entry.isFolder) {
      for (const [name, text] of readBelow(system, root, path, pattern)) {
        sources.set(name, text);
      }
    } else if (pattern.test(path)) {
      sources.set(path, system.readText(posix.join(root, path)) ?? "");
    }
  }
  return sources;
}
