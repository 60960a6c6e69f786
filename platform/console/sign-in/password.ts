import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

import { passwordHashForm } from "../../settings/forms.js";

/**
 * The cost of computing a hash: 32 MiB of memory and about a tenth of a second.
 */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const maxmem = 64 * 1024 ** 2;

/** Hashes a password. Returns `scrypt$<cost>$<salt>$<hash>`. */
export async function hashPassword(
  password: string,
  salt: Buffer = randomBytes(16),
): Promise<string> {
  const hash = await derive(password, salt);
  const texts = [salt, hash].map((bytes) => bytes.toString("base64url"));
  return ["scrypt", cost.N, ...texts].join("$");
}

/**
 * Returns whether a password matches a hash. A malformed hash matches no
 * password.
 */
export async function verifyPassword(
  password: string,
  text: string,
): Promise<boolean> {
  const [, n = "", salt = "", hash = ""] = passwordHashForm.exec(text) ?? [];
  if (n !== String(cost.N)) return false;
  const expected = Buffer.from(hash, "base64url");
  const saltBytes = Buffer.from(salt, "base64url");
  const found = await derive(password, saltBytes);
  return timingSafeEqual(found, expected);
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { ...cost, maxmem }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}
