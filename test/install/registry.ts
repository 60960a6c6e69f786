import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createRegistry } from "../../scripts/release/serve-packages.js";
import { pack, root } from "../package/packed.js";
import { listen, type Listening } from "../support/listen.js";

/**
 * Starts a package registry that serves the two packages of this repository as
 * they would be published. With it, package managers can run the documented
 * commands unchanged.
 *
 * Input: a folder for the tarballs.
 */
export function startRegistry(folder: string): Promise<Listening> {
  const packed = [root, join(root, "runtime/typescript")].map((source) => ({
    folder: source,
    path: pack(source, folder),
  }));
  return listen(createRegistry(packed, npmSetting("registry")));
}

/** Returns a setting of this machine's npm configuration. */
export function npmSetting(name: string): string {
  const args = ["config", "get", name];
  return execFileSync("npm", args, { encoding: "utf8", stdio: "pipe" }).trim();
}
