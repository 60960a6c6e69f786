import { PermissionDeniedError } from "../../generated/index.js";

/** The only project of the example. */
export const demoProjectId = 1;

/** Its public access key: version 1, project 1, and 17 random bytes. */
export const demoAccessKey = "AQAAAAAAAAAB0ABVKmLNHnJ4JTXHGVbqSrs";

/** Its secret key. A real platform signs one for each project. */
export const demoSecret = "demo-secret";

/** Returns whether a value is the access key of the example. */
export function verifyAccessKey(value: string): boolean {
  return value === demoAccessKey;
}

/** Returns whether a value is the secret key of the example. */
export function verifySecret(value: string): boolean {
  return value === demoSecret;
}

/**
 * Rejects access to any project other than the caller's.
 *
 * Errors: `PermissionDenied`.
 */
export function requireDemoProject(projectId: number | string): void {
  if (String(projectId) === String(demoProjectId)) return;
  const cause = `projectId: the keys belong to project ${demoProjectId}`;
  throw new PermissionDeniedError({ cause });
}
