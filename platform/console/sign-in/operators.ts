import { createHash, timingSafeEqual } from "node:crypto";

import { createLimit } from "../../process/limit-work.js";
import { hashPassword, verifyPassword } from "./password.js";

/**
 * Passwords that are verified at once, and that wait. Each takes a core, 32 MiB and
 * one of the four threads that Node also uses to read files and look names up.
 */
const verifications = { atOnce: 1, waiting: 100 };

/** Who may sign in. */
export interface Operators {
  /** Whether there is an operator of this name. */
  has(name: string): boolean;
  /**
   * Whether this is the password of the operator.
   *
   * Errors: `Unavailable` when too many wait for that.
   */
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
  const limit = createLimit(verifications.atOnce, verifications.waiting);
  return {
    has: (name) => name === owner || known.has(name),
    verify: async (name, password) => {
      const hash = known.get(name) ?? (await decoy);
      const isPassword = await limit(() => verifyPassword(password, hash));
      const isOwner = name === owner && isToken(password);
      return isOwner || (known.has(name) && isPassword);
    },
    isToken,
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
