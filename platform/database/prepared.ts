import { hash } from "node:crypto";

import { sql } from "kysely";

/**
 * Marks a statement that each connection prepares once. Parsing and planning a
 * small statement takes several times longer than executing it. The text of a
 * marked statement must be constant, because connections keep each distinct
 * text.
 */
export const prepared = sql.raw("/* prepared */");

/** Returns the name of a marked statement, or undefined. */
export function nameOfPrepared(text: string): string | undefined {
  return text.includes("/* prepared */")
    ? hash("sha256", text, "base64url")
    : undefined;
}
