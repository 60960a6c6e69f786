import { spawnSync } from "node:child_process";

/** Returns what programs in Go without other modules need and is missing, or null. */
export function prepareGo() {
  const { status } = spawnSync("go", ["version"]);
  return status === 0 ? null : "Go is not installed.";
}

/** Returns the folder in which `go build` keeps what it has compiled. */
export function goCache() {
  return String(spawnSync("go", ["env", "GOCACHE"]).stdout).trim();
}
