import { posix } from "node:path/posix";
import { type AbsolutePath, resolvePath } from "../system/paths.js";
import type { System } from "../system/system.js";

/**
 * Matches the start of every generated file, except JSON and RIDL, which have no
 * notice.
 */
const marker =
  /^(?:<!doctype html>\r?\n)?(?:\/\/|\/\*|#|<!--) (?:Code g|G)enerated by ridlkit\b/u;

/** Whether a text begins like a generated file. */
export function isGenerated(text: string): boolean {
  return marker.test(text);
}

/** A file that begins like a generated file, but belongs to no run. */
export interface Orphan {
  /** Path relative to the output folder. */
  readonly path: string;
  readonly text: string;
}

/** Names of files that may have the notice. */
const marked =
  /\.(?:[cm]?[jt]sx?|css|go|html|http|kt|md|mod|py|rs|toml|ya?ml)$/u;

/**
 * Matches files in folders where other tools keep copies: the manifest of another
 * output, and those of Cargo, of Go's `vendor`, of setuptools and of `venv`. Their
 * names are no sign, because a host can be called `build` or `target`.
 */
const marks =
  /^(?:\.ridl-manifest\.json|CACHEDIR\.TAG|modules\.txt|bdist\..*|pyvenv\.cfg)$/u;

/**
 * Finds orphans below an output folder, e.g. after a merge conflict in the
 * manifest. Skips hidden folders, copies of other tools, folders with a manifest of
 * their own, and what a compiler makes of a generated file next to it.
 */
export function findOrphans(
  folder: AbsolutePath,
  owned: readonly string[],
  system: Pick<System, "readText" | "listFolder">,
): readonly Orphan[] {
  const stems = new Set(owned.map(stemOf));
  const visit = (below: string): readonly Orphan[] => {
    const entries = system.listFolder(resolvePath(folder, below)) ?? [];
    const isOther = entries.some(({ name }) => marks.test(name));
    if (below !== "." && isOther) return [];
    return entries.flatMap(({ name, isFolder }) => {
      const path = posix.join(below, name);
      if (isFolder) {
        return /^\.|^node_modules$/u.test(name) ? [] : visit(path);
      }
      if (!marked.test(name) || stems.has(stemOf(path))) return [];
      const text = system.readText(resolvePath(folder, path));
      return text !== null && isGenerated(text) ? [{ path, text }] : [];
    });
  };
  return visit(".");
}

/** Returns `types` for `types.ts`, `types.d.ts` and `types.js`. */
function stemOf(path: string): string {
  return path.toLowerCase().replace(/(?:\.d)?\.[^./]+$/u, "");
}
