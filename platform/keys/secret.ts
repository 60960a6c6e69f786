import { isSafeUint, isString } from "@ridlkit/runtime/validation";
import { decodeJwt, errors, type JWTPayload, jwtVerify, SignJWT } from "jose";

import { SessionExpiredError } from "../../generated/errors.js";

/** Claims of a secret, a signed JWT. */
export interface SecretClaims {
  /** The `jti` claim. */
  readonly id: string;
  /** The `project` claim. */
  readonly projectId: number;
  /** The `exp` claim. */
  readonly expiresAt: Date;
}

/** The content of a secret before it is signed. */
export interface UnsignedSecret extends SecretClaims {
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
}

/** Returns the ID of the secret of a demo project. */
export function demoSecretId(projectId: number): string {
  return `demo-${projectId}`;
}

/** Whether a secret can have an ID, which PostgreSQL can compare. */
function isSecretId(id: unknown): id is string {
  return isString(id) && /^[\w-]{1,64}$/u.test(id);
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
 * Verifies and reads a secret. If an earlier key signed it, only reads it.
 *
 * Returns null if a claim is missing or invalid.
 * Errors: `SessionExpired`.
 */
export async function readSecret(
  signing: Buffer,
  token: string,
): Promise<SecretClaims | null> {
  try {
    const payload = await verify(signing, token);
    const { exp, jti, project } = payload;
    if (!isSafeUint(project) || !isSafeUint(exp)) return null;
    if (!isSecretId(jti)) return null;
    return { id: jti, projectId: project, expiresAt: new Date(exp * 1000) };
  } catch (error) {
    // The signature is checked first, so this secret was once valid.
    if (error instanceof errors.JWTExpired) throw new SessionExpiredError();
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

async function verify(signing: Buffer, token: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, signing, {
      algorithms: ["HS256"],
      requiredClaims: ["jti", "exp", "project"],
    });
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return decodeJwt(token);
  }
}
