/** Returns the environment variable for a header, e.g. `RIDL_X_ACCESS_KEY`. */
export function variableOf(header: string): string {
  return `RIDL_${header.toUpperCase().replace(/[^A-Z0-9]/gu, "_")}`;
}
