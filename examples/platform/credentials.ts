import { PermissionDeniedError } from "../../generated/index.js";

/** The one project of the example. */
export const demoProjectId = 1;

/** Its public access key: version 1, project 1, and 17 bytes at random. */
export const demoAccessKey = "AQAAAAAAAAAB0ABVKmLNHnJ4JTXHGVbqSrs";

/** Its secret key; a real platform signs one for each project. */
export const demoSecret = "demo-secret";

/** Whether somebody sent the access key of the example. */
export function verifyAccessKey(value: string): boolean {
  return value === demoAccessKey;
}

/** Whether somebody sent the secret of the example. */
export function verifySecret(value: string): boolean {
  return value === demoSecret;
}

/**
 * Refuses to touch another project than the caller's.
 *
 * Errors: `PermissionDenied`.
 */
export function requireDemoProject(projectId: number | string): void {
  if (String(projectId) === String(demoProjectId)) return;
  const cause = `projectId: the keys belong to project ${demoProjectId}`;
  throw new PermissionDeniedError({ cause });
}
