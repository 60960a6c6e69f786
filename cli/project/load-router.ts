import { pathToFileURL } from "node:url";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import {
  findRouter,
  type FoundRouter,
  loadLazyRouters,
  readRouter,
} from "../../tools/import/trpc/read-router.js";
import type { Location, Source } from "../../generator/source/source.js";
import { isCall, memberOf } from "../../tools/loaded.js";
import {
  type AbsolutePath,
  parentOf,
  pathFrom,
  resolvePath,
} from "../system/paths.js";
import { codeOf, type System } from "../system/system.js";
import { describeThrown } from "./emitter-modules.js";

/** A module that exports a router of tRPC. */
export interface RouterFile {
  readonly file: AbsolutePath;
  /** The name of the export, or null if the module exports one router. */
  readonly name: string | null;
  readonly source: Source;
}

/** A router, and the name of its export. */
export interface LoadedRouter extends FoundRouter {
  readonly name: string;
}

/**
 * Loads a module of the user's project, which runs its code, and reads the router
 * that it exports. Returns a diagnostic if there is none.
 */
export async function loadRouter(
  { file, name, source }: RouterFile,
  system: System,
): Promise<LoadedRouter | Diagnostic> {
  const location = { source, span: { start: 0, end: 1 } };
  try {
    const bundle = await bundleModule(file, system);
    try {
      return await system.runModule(source.path, async () => {
        const loaded = await system.importModule(bundle ?? file, "1");
        const found = findRouter(loaded, name);
        if ("fault" in found) return fail(found.fault, location, found.help);
        await loadLazyRouters(found.router);
        return { ...readRouter(found.router), name: found.name };
      });
    } finally {
      if (bundle !== null) system.removeFile(bundle);
    }
  } catch (error) {
    return explain(error, location);
  }
}

/** Whether loading a router failed. */
export function isDiagnostic(
  result: LoadedRouter | Diagnostic,
): result is Diagnostic {
  return "code" in result;
}

function fail(message: string, location: Location, help: string): Diagnostic {
  return {
    code: "import-document",
    severity: "error",
    message,
    location,
    help,
  };
}

const bundleName = ".ridl-import-router.mjs";

/**
 * Bundles TypeScript with the project's esbuild. Returns the path of the bundle,
 * or null for JavaScript and without esbuild, where Node loads the module itself.
 */
async function bundleModule(
  file: AbsolutePath,
  system: System,
): Promise<AbsolutePath | null> {
  const esbuild = /\.[cm]?tsx?$/u.test(file)
    ? system.loadPackage("esbuild", parentOf(file))?.exports
    : null;
  const build = memberOf(esbuild, "build");
  if (!isCall(build)) return null;
  const result = await build({
    entryPoints: [file],
    absWorkingDir: parentOf(file),
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    // Packages are imported as Node does, not in a form for bundlers.
    conditions: [],
    plugins: [installedPackages(parentOf(file))],
    logLevel: "silent",
  });
  const [output]: readonly unknown[] = listIn(result, "outputFiles");
  // Only a file in the folder of the router finds the packages of the project.
  const bundle = resolvePath(parentOf(file), bundleName);
  system.writeText(bundle, String(memberOf(output, "text")));
  return bundle;
}

/** What a plugin of esbuild can do while it is set up. */
interface PluginBuild {
  onResolve(
    options: { readonly filter: RegExp },
    resolve: (args: ImportArgs) => Promise<object | null>,
  ): void;
  resolve(path: string, args: object): Promise<{ readonly path: string }>;
}

/** An import that esbuild found. */
interface ImportArgs {
  readonly path: string;
  readonly kind: string;
  readonly resolveDir: string;
  readonly pluginData: unknown;
}

/**
 * Returns a plugin of esbuild that leaves installed packages out of a bundle. A
 * package of the same repository is a link to its source, which is part of the
 * bundle. `folder` is the one that imports of the bundle start from.
 */
function installedPackages(folder: AbsolutePath): object {
  const marker = {};
  const setup = (build: PluginBuild): void =>
    build.onResolve({ filter: /^[^./]/ }, async (args) => {
      const { kind, path, pluginData, resolveDir } = args;
      if (pluginData === marker || isAbsolute(path)) return null;
      const find = async (resolveFrom: string): Promise<string> => {
        const options = { kind, pluginData: marker, resolveDir: resolveFrom };
        return (await build.resolve(path, options)).path;
      };
      const found = await find(resolveDir);
      if (isAbsolute(found) && !isInstalled(found)) return { path: found };
      // Node finds other packages from the bundle than from a linked package.
      const isSame = found === (await find(folder)) || !isAbsolute(found);
      const own = isSame ? path : pathToFileURL(found).href;
      return { path: own, external: true };
    });
  return { name: "installed-packages", setup };
}

function isAbsolute(path: string): boolean {
  return /^(?:[a-z]:)?[\\/]/iu.test(path);
}

function isInstalled(path: string): boolean {
  return /[\\/]node_modules[\\/]/u.test(path);
}

function listIn(holder: unknown, key: string): readonly unknown[] {
  const value = memberOf(holder, key);
  return Array.isArray(value) ? value : [];
}

/** Explains why a module cannot be loaded. */
function explain(error: unknown, location: Location): Diagnostic {
  const { path } = location.source;
  const message = `the module \`${path}\` cannot be loaded`;
  const isTypeScript = /\.[cm]?tsx?$/u.test(path);
  const isUnknown = /^ERR_(?:UNKNOWN_FILE_EXTENSION|UNSUPPORTED_)/u.test(
    codeOf(error),
  );
  const isMissing = codeOf(error) === "ERR_MODULE_NOT_FOUND";
  return {
    code: "import-document",
    severity: "error",
    message,
    location,
    notes: describeThrown(error).map((line) =>
      line.replaceAll(bundleName, path.slice(path.lastIndexOf("/") + 1)),
    ),
    ...(isTypeScript &&
      (isUnknown || isMissing) && {
        help: "run `npm install --save-dev esbuild`, which `ridl` then uses to read TypeScript, or build the router and import the JavaScript",
      }),
  };
}

/** Returns what loads packages as the router's module would. */
export function packageLoader(
  file: AbsolutePath,
  system: System,
): (name: string) => unknown {
  return (name) => system.loadPackage(name, parentOf(file))?.exports ?? null;
}

/** Splits `src/router.ts#appRouter` into the file and the export. */
export function splitExport(
  input: string,
  flag: string | undefined,
): { readonly path: string; readonly name: string | null } {
  const [, path = input, name = null] =
    /^(.+)#([\p{ID_Start}$_][\p{ID_Continue}$]*)$/u.exec(input) ?? [];
  return { path, name: flag ?? name };
}

/** Returns the path of the module in messages. */
export function sourceOf(
  file: AbsolutePath,
  text: string,
  { workingFolder }: System,
): Source {
  return { path: pathFrom(workingFolder, file), text };
}
