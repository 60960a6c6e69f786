import type { Field } from "../../1-parse/ast.js";
import { metadataValue } from "./metadata.js";

/**
 * Name of a field on the wire: its own, or what `+ json` says before a comma.
 * Output: null for `+ json = -`, a field that is not on the wire.
 */
export function jsonNameOf(field: Field): string | null {
  const written = metadataValue(field, "json");
  if (written === undefined) return field.name.text;
  const [name] = written.split(",");
  if (name === "-") return null;
  return name || field.name.text;
}
