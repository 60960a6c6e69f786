import { posix } from "node:path";
import type { CliHost } from "../host.js";

/** The runtime's TypeScript as it is shipped in the package, by path in it. */
export function readRuntime(
  host: CliHost,
  folder = "",
): ReadonlyMap<string, string> {
  const root = posix.join(host.packageFolder, "runtime");
  const sources = new Map<string, string>();
  for (const entry of host.listFolder(posix.join(root, folder)) ?? []) {
    const path = posix.join(folder, entry.name);
    if (entry.isFolder) {
      for (const [name, text] of readRuntime(host, path)) {
        sources.set(name, text);
      }
    } else if (path.endsWith(".ts")) {
      sources.set(path, host.readText(posix.join(root, path)) ?? "");
    }
  }
  return sources;
}
