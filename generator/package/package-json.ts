import type { EmitOptions } from "../4-emit/emitter/emitter.js";
import { escapeInJson } from "../4-emit/emitter/invisible.js";
import { queryPackage } from "../4-emit/typescript/query/query.js";
import type { Contract } from "../ir/contract.js";
import type { PackageDetails } from "./details.js";
import type { EntryPoint } from "./entry-points.js";

/** Keys of package.json that ridlkit always writes. */
const own: ReadonlySet<string> = new Set([
  ..."name version description type sideEffects engines exports types".split(
    " ",
  ),
  ..."files dependencies optionalDependencies".split(" "),
  ..."peerDependencies peerDependenciesMeta".split(" "),
]);

/** Prints package.json: generated keys, and others that are kept. */
export function printPackageJson(
  contract: Contract,
  { name, version, runtimeVersion, kept }: PackageDetails,
  { query }: EmitOptions,
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
    files: ["dist", "schema", "CHANGELOG.md"],
    dependencies: { "@ridlkit/runtime": `^${runtimeVersion}` },
    ...(query && peersOf(queryPackage(query))),
    ...Object.fromEntries(others),
  };
  return escapeInJson(`${JSON.stringify(data, null, 2)}\n`);
}

/** Returns an optional peer dependency, which only users of queries need. */
function peersOf(name: string): object {
  return {
    peerDependencies: { [name]: "^5.80.0" },
    peerDependenciesMeta: { [name]: { optional: true } },
  };
}

function describe({ hosts }: Contract): string {
  const names = hosts.map(({ name }) => name).join(", ");
  return `Typed client for ${names}.`;
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
