import {
  isCompiler,
  type LoadedCompiler,
} from "../../tools/implement/compiler.js";
import { memberOf } from "../../tools/loaded.js";
import { type AbsolutePath, parentOf, resolvePath } from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";

/**
 * Loads the TypeScript compiler of a project: its own `typescript`, or the one
 * in its `ts-morph`, because TypeScript 7 and later have no JavaScript API.
 *
 * Errors: a {@link UsageError} if it has neither.
 */
export function loadCompiler(
  folder: AbsolutePath,
  command: string,
  system: System,
): LoadedCompiler {
  const own = system.loadPackage("typescript", folder)?.exports;
  if (isCompiler(own)) return { compiler: own, libraries: null };
  const morph = system.loadPackage("ts-morph", folder);
  const common = morph && system.loadPackage("@ts-morph/common", morph.folder);
  const compiler = memberOf(common?.exports, "ts");
  const readLibraries = memberOf(common?.exports, "getLibFiles");
  if (!isCompiler(compiler) || typeof readLibraries !== "function") {
    throw new UsageError(
      own === undefined
        ? `\`ridl ${command}\` needs TypeScript, which this project does not have`
        : `\`ridl ${command}\` needs a JavaScript API, which this project's \`typescript\` does not have; version 7 removed it`,
      "run `npm install --save-dev ts-morph`",
    );
  }
  const files: unknown = readLibraries();
  return { compiler, libraries: new Map(textsOf(files)) };
}

function textsOf(files: unknown): readonly (readonly [string, string])[] {
  return (Array.isArray(files) ? files : []).map((file: unknown) => [
    String(memberOf(file, "fileName")),
    String(memberOf(file, "text")),
  ]);
}

/** Returns the nearest `tsconfig.json` in or above a folder, or null. */
export function nearestTsconfig(
  folder: AbsolutePath,
  system: System,
): AbsolutePath | null {
  const path = resolvePath(folder, "tsconfig.json");
  if (system.readText(path) !== null) return path;
  const parent = parentOf(folder);
  return parent === folder ? null : nearestTsconfig(parent, system);
}
