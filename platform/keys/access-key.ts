import { createHmac, randomBytes } from "node:crypto";

/** Version of the form: the first byte. */
const version = 1;

const byteLength = 26;
const randomByteLength = 17;

/**
 * Makes an access key: base64url of the version, the project as 8 bytes, the
 * most significant first, and 17 more.
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

/** The project that an access key names; null when it is no access key. */
export function projectOfAccessKey(accessKey: string): number | null {
  const bytes = Buffer.from(accessKey, "base64url");
  // One key is one text: not padded, and no other letters for the same bytes.
  const isCanonical = bytes.toString("base64url") === accessKey;
  if (!isCanonical || bytes.length !== byteLength) return null;
  if (bytes.readUInt8(0) !== version) return null;
  const projectId = Number(bytes.readBigUInt64BE(1));
  return Number.isSafeInteger(projectId) ? projectId : null;
}

/** What the database keeps of an access key or a secret. */
export function hashKey(hashing: Buffer, key: string): Buffer {
  return createHmac("sha256", hashing).update(key).digest();
}
