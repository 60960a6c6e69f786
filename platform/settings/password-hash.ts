/** The format of a password hash: `scrypt$<cost>$<salt>$<hash>`. */
export const passwordHashForm =
  /^scrypt\$([0-9]{1,8})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/u;

/** Returns whether a string is a well-formed password hash. */
export function isPasswordHash(text: string): boolean {
  return passwordHashForm.test(text);
}
