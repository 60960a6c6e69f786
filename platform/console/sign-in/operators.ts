import { createHash, timingSafeEqual } from "node:crypto";

import { createLimit } from "../../process/concurrency/limit-work.js";
import type { OperatorSettings } from "../../settings/read-settings.js";
import type { OperatorRole } from "../generated/types.js";
import { hashPassword, verifyPassword } from "./password.js";

/**
 * Limits for concurrent and queued password checks. Each check occupies a core,
 * 32 MiB of memory, and one of the four threads that Node also uses to read
 * files and resolve names.
 */
const verifications = { atOnce: 1, waiting: 100 };

/** An operator who may sign in. */
export interface Operator {
  readonly role: OperatorRole;
  /** A hash that changes with the operator's password. */
  readonly credential: Buffer;
}

/** The operators who may sign in. */
export interface Operators {
  /** Returns an operator, or null if there is none with this name. */
  find(name: string): Operator | null;
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
 * Input: operators by name, and the operator token.
 */
export function createOperators(
  settings: Readonly<Record<string, OperatorSettings>>,
  token: string,
): Operators {
  const known = new Map(Object.entries(settings));
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
    find: (name) => {
      const found = known.get(name);
      // The owner can have two passwords.
      const secrets = [found?.password, name === owner ? token : undefined];
      const credential = sha256(JSON.stringify(secrets));
      if (name === owner) return { role: "owner", credential };
      return found === undefined ? null : { role: found.role, credential };
    },
    verify: async (name, password) => {
      const hash = known.get(name)?.password ?? (await decoy);
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
