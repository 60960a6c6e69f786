import { posix } from "node:path";
import type { OutputFile } from "../../4-emit/emitter/emitter.js";
import type { Plan } from "../../4-emit/typescript/plan/plan.js";
import type { CheckedContract } from "../../2-check/index.js";
import { addDeclarationMaps } from "../../trace/declaration-map.js";
import { traceNames } from "../../trace/trace-names.js";

/**
 * Adds declaration maps that point to the documents of a project. `out` is
 * relative to the folder of the documents' paths.
 */
export function mapDeclarations(
  files: readonly OutputFile[],
  plan: Plan,
  { documents }: CheckedContract,
  out: string,
): readonly OutputFile[] {
  const findOrigin = traceNames(
    plan,
    documents.map(({ syntax }) => syntax),
  );
  return addDeclarationMaps(files, findOrigin, (document, path) =>
    posix.relative(posix.dirname(posix.join(out, path)), document),
  );
}
