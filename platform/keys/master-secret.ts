import { hkdfSync, randomBytes } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** The keys that all others are hashed and signed with. */
export interface MasterKeys {
  /** Hashes what the database keeps of access keys and secrets. */
  readonly hashing: Buffer;
  /** Signs secrets. */
  readonly signing: Buffer;
  /** Makes the keys of the demo project, the same each time. */
  readonly demo: Buffer;
  /** Makes the secrets that webhooks are signed with. */
  readonly webhooks: Buffer;
  /** Tells whether a database was set up with the same secret. */
  readonly check: Buffer;
}

/** A secret that is shorter can be guessed. */
const minSecretLength = 32;

/**
 * Derives all keys from one secret.
 *
 * Errors: Error when the secret is short.
 */
export function deriveKeys(secret: string): MasterKeys {
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
  };
}

/**
 * A secret in the data folder, made when it is first asked for.
 *
 * Input: the name of its file; unless given, that of the secret from which all
 * keys are derived.
 */
export function readOrMakeSecret(dataFolder: string, name = "secret"): string {
  const path = join(dataFolder, name);
  mkdirSync(dataFolder, { recursive: true });
  const candidate = `${path}.${process.pid}`;
  writeFileSync(candidate, randomBytes(32).toString("hex"), { mode: 0o600 });
  try {
    // Fails where there is one: of several that start at once, one wins.
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
