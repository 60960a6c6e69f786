import { createHmac, randomBytes } from "node:crypto";

import type { MasterKeys } from "./master-secret.js";

/** The version of the format, stored in the first byte. */
const version = 1;

const byteLength = 26;
const randomByteLength = 17;

/**
 * Creates an access key: the base64url encoding of the version, the project ID
 * as 8 big-endian bytes, and 17 random bytes.
 */
export function makeAccessKey(
  projectId: number,
  random: Buffer = randomBytes(randomByteLength),
): string {
  const bytes = Buffer.alloc(byteLength);
  bytes.writeUInt8(version, 0);
  bytes.writeBigUInt64BE(BigInt(projectId), 1);
  random.copy(bytes, byteLength - randomByteLength, 0, randomByteLength);
  return bytes.toString("base64url");
}

/** Returns the project of an access key, or null if the string is not one. */
export function projectOfAccessKey(accessKey: string): number | null {
  const bytes = Buffer.from(accessKey, "base64url");
  // Only accept the canonical encoding, without padding. Other strings can
  // decode to the same bytes.
  const isCanonical = bytes.toString("base64url") === accessKey;
  if (!isCanonical || bytes.length !== byteLength) return null;
  if (bytes.readUInt8(0) !== version) return null;
  const projectId = Number(bytes.readBigUInt64BE(1));
  return Number.isSafeInteger(projectId) ? projectId : null;
}

/** Hashes an access key or secret for the database. */
export function hashKey({ hashing }: MasterKeys, key: string): Buffer {
  return createHmac("sha256", hashing).update(key).digest();
}

/**
 * Returns the hashes that a key can have in the database. There are two while
 * the platform's secret is being replaced, the current one first.
 */
export function hashesOf(keys: MasterKeys, key: string): readonly Buffer[] {
  const hash = hashKey(keys, key);
  return keys.old === null ? [hash] : [hash, ...hashesOf(keys.old, key)];
}
