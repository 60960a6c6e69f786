import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

const listed = Object.keys(manifest.dependencies);

/**
 * Returns the folder of an installed package. `test/package.json` lists packages
 * that only checks and long tests need.
 */
export function installedPackage(name: string): string {
  const root = listed.includes(name) ? ".." : "../..";
  const path = `${root}/node_modules/${name}`;
  return fileURLToPath(new URL(path, import.meta.url));
}
