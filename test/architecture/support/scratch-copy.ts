import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { runTsc } from "../../support/run-tsc.js";
import { runtimeEntries } from "../../support/runtime-entries.js";
import { root } from "./source-files.js";

/** The entries of `runtime/`, which a copy has, too. */
export const entries = Object.entries(runtimeEntries).map(([name, path]) => ({
  name,
  path: path.slice(path.indexOf("runtime/")),
}));

/** Copies the code to a folder of its own, in which a test can change it. */
export function copyCode(): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-scratch-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const copied = ["apps", "cli", "generator", "runtime", "templates", "tools"];
  for (const name of [...copied, "package.json", "config.schema.json"])
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\/(?:dist|node_modules)(?:\/|$)/u.test(path),
    });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const paths = entries.map(({ name, path }) => [name, [`./${path}`]] as const);
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: true,
      // The compiler runs several times.
      incremental: true,
      tsBuildInfoFile: join(folder, ".tsbuildinfo"),
      paths: Object.fromEntries(paths),
    },
    include: copied.filter((name) => name !== "templates"),
    exclude: ["apps/editors", "apps/playground"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  return folder;
}

/** Copies the whole repository, in which tests run, too. */
export function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-scratch-"));
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root });
  const paths = String(tracked).split("\0").slice(0, -1);
  // Built, not tracked.
  const built = [
    "platform/console/generated",
    "platform/relaying/generated",
    "generator/4-emit/templates/own",
    "tools/migrate/change/files.json",
  ];
  for (const path of [...paths, ...built])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of ["node_modules", "test/node_modules"])
    symlinkSync(join(root, path), join(folder, path));
  const path = join(folder, "tsconfig.json");
  const config = JSON.parse(readFileSync(path, "utf8"));
  Object.assign(config.compilerOptions, {
    incremental: true,
    tsBuildInfoFile: join(folder, ".tsbuildinfo"),
  });
  writeFileSync(path, JSON.stringify(config));
  return folder;
}

/** Inserts text before the first occurrence of a mark in a file. */
export function insert(path: string, mark: string, text: string): void {
  const old = readFileSync(path, "utf8");
  expect(old).toContain(mark);
  writeFileSync(
    path,
    old.replace(mark, () => text + mark),
  );
}

/** Returns the files in which the compiler finds errors. */
export function findFaults(folder: string): readonly string[] {
  const { stdout } = runTsc(join(folder, "tsconfig.json"));
  const files = stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gmu);
  // The compiler's order depends on the imports of other files.
  return [...new Set(Array.from(files, ([, path = ""]) => path))].sort();
}
