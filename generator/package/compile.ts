import { Project, ts } from "ts-morph";
import type { OutputFile } from "../4-emit/emitter.js";

/** What every supported Node.js and every browser of today runs as it is. */
const target = ts.ScriptTarget.ES2022;

/**
 * Compiles TypeScript to JavaScript, declarations and source maps that hold
 * their sources.
 *
 * Input: files below the root. Output: the same below `dist/`, in path order.
 */
export function compileSources(
  files: readonly OutputFile[],
): readonly OutputFile[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: {
      target,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      newLine: ts.NewLineKind.LineFeed,
      rootDir: "/src",
      outDir: "/dist",
    },
  });
  const headers = new Map(
    files.map(({ path, text }) => [
      path.replace(/\.ts$/u, ".d.ts"),
      text.slice(0, text.indexOf("\n") + 1),
    ]),
  );
  for (const { path, text } of files) {
    project.createSourceFile(`/src/${path}`, keepHeader(text));
  }
  return project
    .emitToMemory()
    .getFiles()
    .map(({ filePath, text }) => {
      const path = filePath.slice(1);
      return { path, text: withHeader(path, text, headers) };
    })
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Declarations lose the first line, by which we know our files. */
function withHeader(
  path: string,
  text: string,
  headers: ReadonlyMap<string, string>,
): string {
  const header = headers.get(path.replace(/^dist\//u, "")) ?? "";
  return text.startsWith(header) ? text : header + text;
}

/** A comment right above an import goes when the import goes. */
function keepHeader(text: string): string {
  return text.replace(/^(\/\/.*\n)(?!\n)/u, "$1\n");
}
