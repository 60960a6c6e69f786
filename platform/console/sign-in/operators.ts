import { createHash, timingSafeEqual } from "node:crypto";

import { createLimit } from "../../process/limit-work.js";
import { hashPassword, verifyPassword } from "./password.js";

/**
 * Limits for concurrent and queued password checks. Each check occupies a core,
 * 32 MiB of memory, and one of the four threads that Node also uses to read
 * files and resolve names.
 */
const verifications = { atOnce: 1, waiting: 100 };

/** The operators who may sign in. */
export interface Operators {
  /** Returns whether there is an operator with this name. */
  has(name: string): boolean;
  /**
   * Returns whether an operator's password is correct.
   *
   * Errors: `Unavailable` if too many checks are queued.
   */
  verify(name: string, password: string): Promise<boolean>;
  /** Returns whether a string is the operator token. */
  isToken(text: string): boolean;
}

/** The operator whose password is the operator token. */
export const owner = "owner";

/**
 * Creates the operators in the settings, plus the owner.
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
  /**
   * The hash to check for unknown names, so that checking them takes as long as
   * checking known names.
   */
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
