import { encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import type { OutputFile } from "../../../generator/4-emit/emitter/emitter.js";
import {
  createLineFinder,
  LineIndex,
} from "../../../generator/source/line-index.js";
import { listDeclared } from "./list-declared.js";
import type { FindOrigin } from "./trace-names.js";

/**
 * Adds declaration maps to the declaration files among `files`, so that "go to
 * definition" leads from their names to the contract.
 *
 * `addressOf` returns the path of a document relative to the folder of the file
 * at `path`, e.g. `../schema/shop.ridl`.
 */
export function addDeclarationMaps(
  files: readonly OutputFile[],
  findOrigin: FindOrigin,
  addressOf: (document: string, path: string) => string,
): readonly OutputFile[] {
  return files.flatMap((file) =>
    file.path.endsWith(".d.ts")
      ? addDeclarationMap(file, findOrigin, (document) =>
          addressOf(document, file.path),
        )
      : [file],
  );
}

/** Maps one file, unless none of its names has an origin. */
function addDeclarationMap(
  file: OutputFile,
  findOrigin: FindOrigin,
  addressOf: (document: string) => string,
): readonly OutputFile[] {
  const { path, text } = file;
  const lines = new LineIndex(text);
  const linesOf = createLineFinder();
  const sources: string[] = [];
  // Lines without a traced name have a segment without an origin, because
  // TypeScript uses the nearest mapping for positions that have none.
  const mappings = Array.from(
    { length: lines.lineCount },
    (): SourceMapSegment[] => [[0]],
  );
  for (const declared of listDeclared(text)) {
    const origin = findOrigin(path, declared);
    if (origin === null) continue;
    const { source, span } = origin;
    const address = addressOf(source.path);
    if (!sources.includes(address)) sources.push(address);
    const line = lines.lineOf(declared.span.start);
    const column = declared.span.start - lines.startOf(line);
    const end = column + declared.name.length;
    const index = sources.indexOf(address);
    const target = linesOf(source).lineOf(span.start);
    const start = linesOf(source).startOf(target);
    const from = [index, target - 1, span.start - start] as const;
    // TypeScript 7 also looks at the start of the declaration.
    mappings[line - 1] = [
      [0, ...from],
      [column, ...from],
      [end, index, target - 1, span.end - start],
      [end + 1],
    ];
  }
  if (sources.length === 0) return [file];
  const name = path.slice(path.lastIndexOf("/") + 1);
  const map = {
    version: 3,
    file: name,
    sourceRoot: "",
    sources,
    names: [],
    mappings: encode(mappings),
  };
  return [
    { path, text: `${text}//# sourceMappingURL=${name}.map\n` },
    { path: `${path}.map`, text: `${JSON.stringify(map)}\n` },
  ];
}
