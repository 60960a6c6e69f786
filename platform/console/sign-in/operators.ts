import { createHash, timingSafeEqual } from "node:crypto";

import { hashPassword, verifyPassword } from "./password.js";

/** Who may sign in. */
export interface Operators {
  /** Whether there is an operator of this name. */
  has(name: string): boolean;
  /** Whether this is the password of the operator. */
  verify(name: string, password: string): Promise<boolean>;
  /** Whether this is the operator token. */
  isToken(text: string): boolean;
}

/** The operator whose password is the operator token. */
export const owner = "owner";

/**
 * Knows the operators of the settings, and the owner.
 *
 * Input: password hashes by name, and the operator token.
 */
export function createOperators(
  hashes: Readonly<Record<string, string>>,
  token: string,
): Operators {
  const known = new Map(Object.entries(hashes));
  const tokenHash = sha256(token);
  const isToken = (text: string): boolean =>
    timingSafeEqual(sha256(text), tokenHash);
  /** Verified for names that nobody has: those take as long as others. */
  const decoy = hashPassword(token);
  return {
    has: (name) => name === owner || known.has(name),
    verify: async (name, password) => {
      const isPassword = await verifyPassword(
        password,
        known.get(name) ?? (await decoy),
      );
      const isOwner = name === owner && isToken(password);
      return isOwner || (known.has(name) && isPassword);
    },
    isToken,
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
