import { pathToFileURL } from "node:url";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import type { Plan } from "../../generator/4-emit/typescript/plan/plan.js";
import type { CheckedContract } from "../../generator/2-check/index.js";
import { addDeclarationMaps } from "../../tools/editor/trace/declaration-map.js";
import { relativePath } from "../../generator/source/relative-path.js";
import { traceNames } from "../../tools/editor/trace/trace-names.js";
import { resolvePath } from "../system/paths.js";
import type { Project } from "./project.js";

/**
 * Adds declaration maps that point to the documents of a project.
 */
export function mapDeclarations(
  files: readonly OutputFile[],
  plan: Plan,
  { documents }: CheckedContract,
  { config, root }: Pick<Project, "config" | "root">,
): readonly OutputFile[] {
  const findOrigin = traceNames(
    plan,
    documents.map(({ syntax }) => syntax),
  );
  const out = resolvePath(root, config.out);
  return addDeclarationMaps(files, findOrigin, (document, path) => {
    const target = resolvePath(root, document);
    const source = resolvePath(out, path);
    return relativePath(source, target) ?? pathToFileURL(target).href;
  });
}
