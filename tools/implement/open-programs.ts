import type { ts } from "ts-morph";
import type { Compiler, LoadedCompiler } from "./compiler.js";

/** The files of a project as its compiler sees them. */
export interface Programs {
  /** One for each configuration that includes files. */
  readonly programs: readonly ts.Program[];
  /** Errors in the configuration, as the compiler reports them. */
  readonly faults: readonly string[];
}

/** Virtual folder of the declarations that come with the compiler. */
const libraryFolder = "/ridlkit-typescript-lib";

/**
 * Opens the programs of a `tsconfig.json` and of those that it references.
 *
 * Input: an absolute path, files that replace files on disk, by absolute path,
 * and which of them programs must contain. Returns programs that are not
 * type-checked yet.
 */
export function openPrograms(
  loaded: LoadedCompiler,
  configPath: string,
  files: ReadonlyMap<string, string>,
  roots: readonly string[],
): Programs {
  const { compiler } = loaded;
  const faults: string[] = [];
  const programs: ts.Program[] = [];
  const opened = new Set<string>();
  const open = (path: string): void => {
    if (opened.has(path)) return;
    opened.add(path);
    const config = compiler.getParsedCommandLineOfConfigFile(path, undefined, {
      ...compiler.sys,
      onUnRecoverableConfigFileDiagnostic: (fault) =>
        faults.push(textOf(loaded, fault)),
    });
    if (config === undefined) return;
    const { fileNames, options, projectReferences = [] } = config;
    if (fileNames.length > 0) {
      const rootNames = [...new Set([...fileNames, ...roots])];
      const host = createHost(loaded, options, files);
      programs.push(compiler.createProgram({ rootNames, options, host }));
    }
    for (const reference of projectReferences) {
      open(compiler.resolveProjectReferencePath(reference));
    }
  };
  open(configPath);
  return { programs, faults };
}

/** Options of a module that no configuration includes. */
const plainOptions = { skipLibCheck: true, target: 99, moduleResolution: 100 };

/**
 * Opens the program of some modules, and the declarations that a project adds to
 * all modules. Input: absolute paths, the configuration's or null if there is
 * none. The program always distinguishes null from other values.
 */
export function openModules(
  loaded: LoadedCompiler,
  configPath: string | null,
  files: readonly [string, ...string[]],
): ts.Program {
  const { compiler } = loaded;
  const config =
    configPath && configOf(compiler, configPath, files[0], new Set());
  const { fileNames = [], options = plainOptions } = config || {};
  const rootNames = [
    ...files,
    ...fileNames.filter((name) => /\.d\.[cm]?ts$/u.test(name)),
  ];
  const all = { ...options, noEmit: true, strictNullChecks: true };
  const host = createHost(loaded, all, new Map());
  return compiler.createProgram({ rootNames, options: all, host });
}

/** Returns the configuration that includes a file, or else the first one. */
function configOf(
  compiler: Compiler,
  path: string,
  file: string,
  opened: Set<string>,
): ts.ParsedCommandLine | undefined {
  if (opened.has(path)) return undefined;
  opened.add(path);
  const config = compiler.getParsedCommandLineOfConfigFile(path, undefined, {
    ...compiler.sys,
    onUnRecoverableConfigFileDiagnostic: () => {},
  });
  if (config?.fileNames.includes(file)) return config;
  const others = (config?.projectReferences ?? []).map((each) =>
    configOf(
      compiler,
      compiler.resolveProjectReferencePath(each),
      file,
      opened,
    ),
  );
  return others.find((each) => each?.fileNames.includes(file)) ?? config;
}

function textOf({ compiler }: LoadedCompiler, fault: ts.Diagnostic): string {
  return compiler.flattenDiagnosticMessageText(fault.messageText, " ");
}

/** Creates a compiler host that reads some files from memory. */
function createHost(
  { compiler, libraries }: LoadedCompiler,
  options: ts.CompilerOptions,
  files: ReadonlyMap<string, string>,
): ts.CompilerHost {
  const texts = new Map(files);
  for (const [name, text] of libraries ?? []) {
    texts.set(`${libraryFolder}/${name}`, text);
  }
  const folders = new Set([...texts.keys()].flatMap(foldersOf));
  const host = compiler.createCompilerHost(options, true);
  const { directoryExists, fileExists, readFile } = host;
  // The host calls its own `readFile` to read source files, so modify it in
  // place.
  return Object.assign(host, {
    readFile: (path: string) => texts.get(path) ?? readFile(path),
    fileExists: (path: string) => texts.has(path) || fileExists(path),
    directoryExists: (path: string) =>
      folders.has(path) || (directoryExists?.(path) ?? true),
    ...(libraries !== null && {
      getDefaultLibLocation: () => libraryFolder,
      getDefaultLibFileName: () =>
        `${libraryFolder}/${compiler.getDefaultLibFileName(options)}`,
    }),
  });
}

function foldersOf(path: string): readonly string[] {
  const end = path.lastIndexOf("/");
  if (end <= 0) return [];
  const folder = path.slice(0, end);
  return [folder, ...foldersOf(folder)];
}
