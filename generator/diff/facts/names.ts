import type { TypeReference } from "../../ir/contract.js";
import type { Subject } from "./change.js";

/** Returns a readable name, e.g. `` `Book.price` ``. */
export function nameOf(subject: Subject): string {
  return codeOf(wordsOf(subject));
}

function wordsOf(subject: Subject): string {
  switch (subject.kind) {
    case "host":
      return subject.host;
    case "service":
      return subject.service;
    case "method":
      return `${subject.service}.${subject.method}`;
    case "argument":
      return `${wordsOf(subject.method)}.${subject.name}`;
    case "member":
      return `${subject.type}.${subject.name}`;
    case "error":
    case "type":
      return subject.name;
  }
}

/** Joins names, e.g. `` `A`, `B` and `C` ``. */
export function listNames(names: readonly string[]): string {
  const quoted = names.map(codeOf);
  const last = quoted.at(-1) ?? "";
  const others = quoted.slice(0, -1).join(", ");
  return others === "" ? last : `${others} and ${last}`;
}

/**
 * Prints text as code. Backticks are escaped as `\u0060`, as in JSON and
 * patterns.
 */
export function codeOf(text: string): string {
  return `\`${text.replaceAll("`", "\\u0060")}\``;
}

/** Prints a type as in RIDL, e.g. `map<string,[]Book>`. */
export function printType(type: TypeReference): string {
  switch (type.kind) {
    case "list":
      return `[]${printType(type.element)}`;
    case "map":
      return `map<${printType(type.key)},${printType(type.value)}>`;
    case "scalar":
    case "reference":
      return type.name;
  }
}
