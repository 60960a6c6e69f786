import type {
  EmitContext,
  EmitOptions,
  OutputFile,
} from "../4-emit/emitter.js";
import type { Contract } from "../ir/contract.js";
import { emitClientSources } from "./client-sources.js";
import { compileSources } from "./compile.js";
import type { PackageDetails } from "./details.js";
import { listEntryPoints } from "./entry-points.js";
import { printPackageJson } from "./package-json.js";
import { createReadmeContext } from "./readme-context.js";
import { printReadme } from "./readme.js";

/**
 * The npm package of a contract's client: JavaScript, declarations and source
 * maps in `dist/`, package.json and README.md. It needs nothing but itself.
 *
 * Input: `options` of the generated code; the runtime is copied in any case.
 * Output: the files in path order, the same bytes for the same input.
 * Errors: none.
 */
export function createPackage(
  contract: Contract,
  details: PackageDetails,
  options: EmitOptions,
  context: EmitContext,
): readonly OutputFile[] {
  const chosen: EmitOptions = {
    ...options,
    language: "typescript",
    runtime: "copy",
    importExtension: ".js",
  };
  const sources = emitClientSources(contract, chosen, context);
  const entryPoints = listEntryPoints(sources.entries);
  const readme = createReadmeContext(
    contract,
    chosen,
    details.name,
    entryPoints,
  );
  return [
    { path: "README.md", text: printReadme(readme) },
    ...compileSources(sources.files),
    {
      path: "package.json",
      text: printPackageJson(contract, details, entryPoints),
    },
  ];
}
