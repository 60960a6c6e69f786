import { hkdfSync, randomBytes } from "node:crypto";
import {
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { makeFolder } from "../process/programs/make-folder.js";

/** The keys used to hash, sign, and derive all other keys. */
export interface MasterKeys {
  /** Hashes access keys and secrets for the database. */
  readonly hashing: Buffer;
  /** Signs secrets. */
  readonly signing: Buffer;
  /** Derives the demo project's keys, which are the same each time. */
  readonly demo: Buffer;
  /** Derives the secrets that sign webhooks. */
  readonly webhooks: Buffer;
  /** Shows whether a database was set up with the same secret. */
  readonly check: Buffer;
  /** The keys of the secret that this one replaces, or null if there is none. */
  readonly old: MasterKeys | null;
}

/** The minimum length, because a shorter secret could be guessed. */
const minSecretLength = 32;

/**
 * Derives all keys from one secret.
 *
 * Input: the secret, and the one that it replaces, if any.
 * Errors: Error if a secret is too short.
 */
export function deriveKeys(
  secret: string,
  oldSecret: string | null = null,
): MasterKeys {
  if (secret.length < minSecretLength) {
    throw new Error(
      `PLATFORM_SECRET: expected at least ${minSecretLength} characters`,
    );
  }
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, "ridlkit-platform", purpose, 32));
  return {
    hashing: derive("hashing"),
    signing: derive("signing"),
    demo: derive("demo"),
    webhooks: derive("webhooks"),
    check: derive("check"),
    old: oldSecret === null ? null : deriveKeys(oldSecret),
  };
}

/** The file of the secret that all keys are derived from. */
const secretFile = "secret";

/** Returns whether the data folder contains that secret. */
export function hasSecret(dataFolder: string): boolean {
  return existsSync(join(dataFolder, secretFile));
}

/**
 * Reads a secret from the data folder. Creates the secret on first use.
 *
 * Input: the name of its file. The default is the file of the secret that all
 * keys are derived from.
 */
export function readOrMakeSecret(
  dataFolder: string,
  name = secretFile,
): string {
  const path = join(dataFolder, name);
  makeFolder(dataFolder);
  const candidate = `${path}.${process.pid}`;
  writeFileSync(candidate, randomBytes(32).toString("hex"), { mode: 0o600 });
  try {
    // This fails if the file exists, so if several instances start, only one
    // creates it.
    linkSync(candidate, path);
  } catch (error) {
    if (!isTaken(error)) throw error;
  } finally {
    rmSync(candidate);
  }
  return readFileSync(path, "utf8");
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
