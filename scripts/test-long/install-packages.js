import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

const changedAt = (path) =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Installs the packages of a folder that its lock file lists, unless they are
 * installed. Returns whether they are.
 */
export function installPackages(folder) {
  const installed = changedAt(`${folder}/node_modules/.package-lock.json`);
  if (installed > changedAt(`${folder}/package-lock.json`)) return true;
  const flags = "--no-audit --no-fund --ignore-scripts";
  const install = `npm ci --prefix ${folder} ${flags}`;
  return spawnSync(install, { shell: true, stdio: "inherit" }).status === 0;
}
