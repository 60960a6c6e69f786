import { escapeInJson } from "../4-emit/emitter/invisible.js";
import type { Contract } from "../ir/contract.js";
import type { PackageDetails } from "./details.js";
import type { EntryPoint } from "./entry-points.js";

/** Keys of package.json that are always ours. */
const own: ReadonlySet<string> = new Set([
  ..."name version description type sideEffects engines exports types".split(
    " ",
  ),
  ..."files dependencies peerDependencies optionalDependencies".split(" "),
]);

/** package.json: what follows from the contract, and what was kept. */
export function printPackageJson(
  contract: Contract,
  { name, version, runtimeVersion, kept }: PackageDetails,
  entryPoints: readonly EntryPoint[],
): string {
  const others = Object.entries(kept).filter(([key]) => !own.has(key));
  const data = {
    name,
    version,
    description: describe(contract),
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    exports: exportsOf(entryPoints),
    types: "./dist/index.d.ts",
    files: ["dist", "CHANGELOG.md"],
    dependencies: { "@ridlkit/runtime": `^${runtimeVersion}` },
    ...Object.fromEntries(others),
  };
  return escapeInJson(`${JSON.stringify(data, null, 2)}\n`);
}

function describe({ hosts }: Contract): string {
  const names = hosts.map(({ name }) => name).join(", ");
  return `Typed client of ${names}.`;
}

function exportsOf(entryPoints: readonly EntryPoint[]): object {
  const entries = entryPoints.map(({ subpath, file }) => [
    subpath,
    { types: `./${file}.d.ts`, default: `./${file}.js` },
  ]);
  return {
    ...Object.fromEntries(entries),
    "./package.json": "./package.json",
  };
}
