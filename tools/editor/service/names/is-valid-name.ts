import type { NamedSyntax } from "./mention.js";

/** Whether a declaration of some kind can have this name. */
export function isValidName(kind: NamedSyntax["kind"], name: string): boolean {
  switch (kind) {
    case "error":
      // Built-in errors have names that begin with `Webrpc`.
      return /^[A-Z]\w*$/.test(name) && !/^webrpc/i.test(name);
    case "alias":
    case "enum":
    case "struct":
      return /^[A-Z]\w*$/.test(name);
    case "service":
      return /^[A-Za-z_]\w*(\/[A-Za-z_]\w*)*$/.test(name);
    case "field":
      return /^[A-Za-z]\w*$/.test(name);
    case "argument":
    case "enum-member":
      return /^[A-Za-z_]\w*$/.test(name);
    case "method":
      return /^(?!(?:stream|proxy)$)[A-Za-z_]\w*$/.test(name);
  }
}
