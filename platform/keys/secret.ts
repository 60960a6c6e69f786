import { isSafeUint, isString } from "@ridlkit/runtime/validation";
import { errors, jwtVerify, SignJWT } from "jose";

import { SessionExpiredError } from "../../generated/errors.js";

/** Claims of a secret, a signed JWT. */
export interface SecretClaims {
  /** The `jti` claim. */
  readonly id: string;
  /** The `project` claim. */
  readonly projectId: number;
}

/** The content of a secret before it is signed. */
export interface UnsignedSecret extends SecretClaims {
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Signs a secret as a JWT with HS256. */
export function signSecret(
  signing: Buffer,
  secret: UnsignedSecret,
): Promise<string> {
  return new SignJWT({ project: secret.projectId, scopes: secret.scopes })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setJti(secret.id)
    .setIssuedAt(secret.issuedAt)
    .setExpirationTime(secret.expiresAt)
    .sign(signing);
}

/**
 * Verifies and reads a secret.
 *
 * Returns null if the platform did not sign it, or if a claim is missing or
 * invalid.
 * Errors: `SessionExpired`.
 */
export async function readSecret(
  signing: Buffer,
  token: string,
): Promise<SecretClaims | null> {
  try {
    const { payload } = await jwtVerify(token, signing, {
      algorithms: ["HS256"],
      requiredClaims: ["jti", "exp", "project"],
    });
    const { jti, project } = payload;
    if (!isString(jti) || !isSafeUint(project)) return null;
    return { id: jti, projectId: project };
  } catch (error) {
    // The signature is checked first, so this secret was once valid.
    if (error instanceof errors.JWTExpired) throw new SessionExpiredError();
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
