import type { OutputFile } from "../../../generator/4-emit/emitter/emitter.js";
import { replaceImports } from "../../../generator/4-emit/copy-runtime.js";
import { invariant } from "../../../generator/ir/invariant.js";
import type { LoadModule } from "../../../tools/loaded.js";

/** Creates a loader for generated JavaScript modules in memory. */
export function createModuleLoader(files: readonly OutputFile[]): LoadModule {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const urls = new Map<string, string>();
  const urlOf = (path: string): string => {
    const known = urls.get(path);
    if (known !== undefined) return known;
    const text = texts.get(path);
    invariant(text !== undefined, `there is no module ${path}`);
    const code = replaceImports(text, (specifier) => {
      const { pathname } = new URL(specifier, `file:///${path}`);
      return urlOf(pathname.slice(1));
    });
    const blob = new Blob([code], { type: "text/javascript" });
    const url = URL.createObjectURL(blob);
    urls.set(path, url);
    return url;
  };
  return (path) => import(urlOf(path));
}
