import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliDecompressSync } from "node:zlib";

import { onTestFinished } from "vitest";

import type { Program } from "../instances/cluster.js";
import { makeDataFolder } from "../start/start-platform.js";

/** The version before this one, which `scripts/bundle-version.js` bundles. */
export interface VersionBefore {
  /** Its files by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The names of its migrations. */
  readonly migrations: readonly string[];
}

/** Reads the bundle of the version before this one. */
export function readVersionBefore(): VersionBefore {
  const bundle = readFileSync("platform/test/upgrade/version-before.br");
  return JSON.parse(brotliDecompressSync(bundle).toString());
}

/** Unpacks the version before this one for the duration of the test. */
export function unpackVersionBefore(): Program {
  const folder = makeDataFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(readVersionBefore().files)) {
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return {
    path: join(folder, "main.js"),
    environment: { CONFIG: join(folder, "config.yaml") },
  };
}
