import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect } from "vitest";
import { main } from "../../cli/main.js";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { installedPackage } from "../support/installed-package.js";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The name of the package with the platform's client. */
export const clientName = "@web3/client";

/** Runs `ridl package` in this repository and returns its exit code. */
export async function packageClient(out: string): Promise<number> {
  const silent = { isTerminal: false, write: () => {} };
  const system = createNodeSystem({ workingFolder: root, stdout: silent });
  return main(["package", "--out", out, "--name", clientName], system);
}

function npm(cwd: string, ...args: readonly string[]): string {
  const quiet = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { status, stdout, stderr } = spawnSync("npm", [...args, ...quiet], {
    cwd,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return stdout.trim();
}

/**
 * Packs a package as it would be published. Returns the path of the tarball.
 */
export function pack(packageFolder: string, destination: string): string {
  const name = npm(packageFolder, "pack", "--pack-destination", destination);
  return join(destination, name);
}

/** Installs packages from tarballs, without a registry. */
export function install(project: string, ...args: readonly string[]): void {
  npm(project, "install", "--offline", ...args);
}

/**
 * Unpacks the files of a tarball, and creates a link to our runtime where npm
 * would install it. `own-packages.long.ts` uses npm itself.
 */
export function unpack(project: string, name: string, tarball: string): void {
  const modules = join(project, "node_modules");
  const target = join(modules, name);
  mkdirSync(target, { recursive: true });
  const args = ["-xzf", tarball, "-C", target, "--strip-components=1"];
  execFileSync("tar", args);
  mkdirSync(join(modules, "@ridlkit"));
  symlinkSync(
    join(root, "runtime/typescript"),
    join(modules, "@ridlkit/runtime"),
    "junction",
  );
}

/** Returns publint's findings about a package as text. */
export async function publintMessages(
  packageFolder: string,
): Promise<readonly (string | undefined)[]> {
  const options = { pkgDir: packageFolder, strict: true, pack: "npm" } as const;
  const { messages, pkg } = await publint(options);
  return messages.map((each) => formatMessage(each, Object(pkg)));
}

/**
 * Returns the table that are-the-types-wrong prints. Fails if that tool finds a
 * problem.
 */
export async function attwReport(tarball: string): Promise<string> {
  const attw = join(installedPackage("@arethetypeswrong/cli"), "dist/index.js");
  const args = [attw, tarball, "--profile", "esm-only"];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}
