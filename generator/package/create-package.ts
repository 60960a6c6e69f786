import type { EmitOptions, OutputFile } from "../4-emit/emitter/emitter.js";
import { createPlan } from "../4-emit/typescript/plan/create-plan.js";
import type { Contract } from "../ir/contract.js";
import { emitClientFiles } from "./client-files.js";
import type { PackageDetails } from "./details.js";
import { listEntryPoints } from "./entry-points.js";
import { mapToSchemas } from "./map-to-schemas.js";
import { printPackageJson } from "./package-json.js";
import { createReadmeContext } from "./readme-context.js";
import { printReadme } from "./readme.js";

/**
 * Creates the npm package of a contract's client: JavaScript and declarations
 * in `dist/`, package.json and README.md. Its only dependency is
 * `@ridlkit/runtime`, unless `options` add a peer dependency.
 *
 * Input: `options` of the generated code, of which `language`, `runtime` and
 * `importExtension` are ignored. `schemas` is the RIDL of hosts by the paths of
 * their documents. It becomes part of the package, and declaration maps refer
 * to it. Returns the files sorted by path. The same input always results in the
 * same bytes.
 */
export function createPackage(
  contract: Contract,
  details: PackageDetails,
  options: EmitOptions,
  schemas: ReadonlyMap<string, string> = new Map(),
): readonly OutputFile[] {
  const chosen: EmitOptions = {
    ...options,
    language: "javascript",
    runtime: "import",
    importExtension: ".js",
  };
  const { entries, files, runtimeEntries } = emitClientFiles(contract, chosen);
  const entryPoints = listEntryPoints(entries);
  const readme = createReadmeContext(
    contract,
    chosen,
    details.name,
    entryPoints,
    runtimeEntries,
  );
  const mapped = mapToSchemas(createPlan(contract, chosen), files, schemas);
  return [
    { path: "README.md", text: printReadme(readme) },
    ...mapped.files.map(({ path, text }) => ({ path: `dist/${path}`, text })),
    {
      path: "package.json",
      text: printPackageJson(contract, details, options, entryPoints),
    },
    ...mapped.schemas,
  ];
}
