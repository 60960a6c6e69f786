import type { Field } from "../../1-parse/ast.js";
import { metadataValue } from "./metadata.js";

/**
 * Returns the name of a field on the wire: the one in `+ json`, up to a comma,
 * or else its own name. Returns null for `+ json = -`, which keeps a field off
 * the wire.
 */
export function jsonNameOf(field: Field): string | null {
  const written = metadataValue(field, "json");
  if (written === undefined) return field.name.text;
  const [name] = written.split(",");
  if (name === "-") return null;
  return name || field.name.text;
}
