import { verbs } from "../../../generator/ir/contract.js";
import type { DocumentFiles } from "./document-files.js";
import type { DocumentPart } from "./document-part.js";

/** A path with its operations that become methods. */
export interface WrittenPath {
  readonly path: DocumentPart;
  /** What the path refers to, or the path itself. */
  readonly item: DocumentPart;
  readonly operations: readonly WrittenOperation[];
}

interface WrittenOperation {
  /** The verb in lowercase. */
  readonly verb: string;
  readonly part: DocumentPart;
}

/** Returns the paths of a document, and follows their references. */
export function pathsIn(
  document: DocumentPart,
  library: DocumentFiles,
): readonly WrittenPath[] {
  const paths = document.get("paths")?.entries() ?? [];
  return paths.flatMap((path): readonly WrittenPath[] => {
    const item = path.key.startsWith("x-") ? null : library.resolve(path);
    if (item === null) return [];
    const operations = verbs.flatMap((name): readonly WrittenOperation[] => {
      const verb = name.toLowerCase();
      const written = item.get(verb);
      // Some documents have a file for each operation.
      const part = written && library.resolve(written);
      return part?.node.kind === "map" ? [{ verb, part }] : [];
    });
    return [{ path, item, operations }];
  });
}
