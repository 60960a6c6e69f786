import { parseDocument } from "../1-parse/load/parse-document.js";
import type { OutputFile } from "../4-emit/emitter/emitter.js";
import { hostFolders } from "../4-emit/names/host-folders.js";
import type { Plan } from "../4-emit/typescript/plan/plan.js";
import { addDeclarationMaps } from "../trace/declaration-map.js";
import { traceNames } from "../trace/trace-names.js";

/** Files of a package whose declarations are mapped to its schema. */
export interface MappedFiles {
  /** Paths relative to `dist`. */
  readonly files: readonly OutputFile[];
  readonly schemas: readonly OutputFile[];
}

/**
 * Adds declaration maps, which lead editors from the client to the RIDL in the
 * package. Input: the RIDL of hosts by the paths of their documents.
 */
export function mapToSchemas(
  plan: Plan,
  files: readonly OutputFile[],
  texts: ReadonlyMap<string, string>,
): MappedFiles {
  const folders = hostFolders(plan.contract);
  const paths = new Map(
    plan.contract.hosts.map((host) => [
      host.document,
      `schema/${folders.get(host) ?? ""}.ridl`,
    ]),
  );
  const documents = Array.from(
    texts,
    ([path, text]) => parseDocument({ path, text }).value,
  );
  const findOrigin = traceNames(plan, documents);
  return {
    files: addDeclarationMaps(files, findOrigin, (document, path) => {
      // The path from the file's folder to the package's folder.
      const up = "../".repeat(path.split("/").length);
      return `${up}${paths.get(document) ?? ""}`;
    }),
    schemas: Array.from(texts, ([document, text]) => ({
      path: paths.get(document) ?? "",
      text,
    })),
  };
}
