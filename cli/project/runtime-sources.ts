import { posix } from "node:path/posix";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { invariant } from "../../generator/ir/invariant.js";
import { type AbsolutePath, resolvePath } from "../system/paths.js";
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
  const folder =
    language === "typescript"
      ? "runtime/typescript"
      : "runtime/typescript/dist";
  const root = resolvePath(system.packageFolder, folder);
  return readBelow(system, root, declarations ? written : /\.js$/u, others);
}

/** Folders of the runtime that do not contain its TypeScript. */
const others: ReadonlySet<string> = new Set(["dist", "node_modules"]);

/**
 * Reads the explorer's script and styles from the package. Returns their
 * contents by name.
 */
export function readExplorer(system: System): ReadonlyMap<string, string> {
  const folder = resolvePath(system.packageFolder, "dist/explorer");
  const files = readBelow(system, folder, written);
  invariant(files.size > 0, "dist/explorer is not built: run `npm run build`");
  return files;
}

const written = /\.(?:[jt]s|css)$/u;

/**
 * Reads the files below a folder whose paths match a pattern. Returns their
 * contents by path. `except` lists paths of files and folders to skip.
 */
export function readBelow(
  system: System,
  root: AbsolutePath,
  pattern: RegExp,
  except: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const folders = [""];
  // The list grows during the iteration.
  for (const folder of folders) {
    const entries = system.listFolder(resolvePath(root, folder)) ?? [];
    for (const { isFolder, name } of entries) {
      const path = posix.join(folder, name);
      if (except.has(path)) continue;
      if (isFolder) folders.push(path);
      else if (pattern.test(path)) {
        texts.set(path, system.readText(resolvePath(root, path)) ?? "");
      }
    }
  }
  return texts;
}
