import { PermissionDeniedError } from "../../generated/index.js";

/** The only project in the example. */
export const demoProjectId = 1;

/**
 * The project's public access key: version 1, project 1, and 17 random bytes.
 */
export const demoAccessKey = "AQAAAAAAAAAB0ABVKmLNHnJ4JTXHGVbqSrs";

/** The project's secret key. A real platform signs a key for each project. */
export const demoSecret = "demo-secret";

/** Returns whether a value is the example's access key. */
export function verifyAccessKey(value: string): boolean {
  return value === demoAccessKey;
}

/** Returns whether a value is the example's secret key. */
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
