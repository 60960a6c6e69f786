import { posix } from "node:path/posix";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { invariant } from "../../generator/ir/invariant.js";
import { type AbsolutePath, resolvePath } from "../system/paths.js";
import type { System } from "../system/system.js";
import { parseRecord } from "./manifest.js";

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
  const path = resolvePath(
    system.packageFolder,
    `dist/runtime/${language}.json`,
  );
  const copy = parseRecord(system.readText(path) ?? "");
  invariant(copy !== null, "dist/runtime is not built: run `npm run build`");
  return new Map(
    Object.entries(copy)
      .filter(([name]) => declarations || !name.endsWith(".d.ts"))
      .map(([name, text]) => [name, String(text)]),
  );
}

/**
 * Reads the explorer's script and styles from the package. Returns their
 * contents by name.
 */
export function readExplorer(system: System): ReadonlyMap<string, string> {
  const folder = resolvePath(system.packageFolder, "dist/explorer");
  const files = readBelow(system, folder, /\.(?:js|css)$/u);
  invariant(files.size > 0, "dist/explorer is not built: run `npm run build`");
  return files;
}

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
