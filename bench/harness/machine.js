import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";

/** Returns one line that describes the machine. */
export function describeMachine() {
  const [cpu] = cpus();
  const model = cpu?.model.trim() || "unknown processor";
  return `Node ${process.versions.node}, ${availableParallelism()} cores (${model}).`;
}

/** Returns the version of an installed package. */
export function versionOf(name) {
  const path = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(fileURLToPath(path), "utf8")).version;
}
