import { codeOf } from "../../../../generator/diagnostics/names.js";
import type { TypeReference } from "../../../../generator/ir/contract.js";
import type { Subject } from "./change.js";

/** Returns a readable name, e.g. `` `Book.price` ``. */
export function nameOf(subject: Subject): string {
  return codeOf(wordsOf(subject));
}

/** Returns a name with those of what contains it, e.g. `Book.price`. */
export function wordsOf(subject: Subject): string {
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
