/**
 * Whether webrpc accepts a name in `+ json`. Any other name is in `+ jsonName`.
 */
export function isPortableName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(name);
}

/** Returns the metadata that sets the JSON name of a field. */
export function jsonNameLine(name: string): string {
  return isPortableName(name)
    ? `+ json = ${name}`
    : `+ jsonName = ${JSON.stringify(name)}`;
}
