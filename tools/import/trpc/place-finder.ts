import type { Location, Source } from "../../../generator/source/source.js";
import type { DocumentPart } from "../read/document-part.js";

/** Finds procedures in the module of their router. */
export class PlaceFinder {
  readonly #source: Source;
  /** The first procedure that uses a shared schema, by the schema's name. */
  readonly #users: ReadonlyMap<string, string>;
  readonly #places = new Map<string, Location>();

  constructor(document: DocumentPart, source: Source) {
    this.#source = source;
    this.#users = findUsers(document);
  }

  /**
   * Returns where a procedure is, or the first one that uses a shared schema. If
   * it is not in this module, this is the start of the module.
   */
  find({ pointer }: DocumentPart): Location {
    const [, group, key = ""] = pointer.split("/");
    const path = group === "schemas" ? (this.#users.get(key) ?? "") : key;
    const name = path.split(".").at(-1) ?? "";
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const found = { source: this.#source, span: this.#spanOf(name) };
    this.#places.set(name, found);
    return found;
  }

  #spanOf(name: string): Location["span"] {
    const { text } = this.#source;
    const begin = { start: 0, end: Math.min(1, text.length) };
    if (!/^[\w$]+$/u.test(name)) return begin;
    const escaped = name.replaceAll("$", "\\$");
    const all = [
      ...text.matchAll(new RegExp(`(?<![\\w$.])${escaped}\\s*:`, "gu")),
    ];
    const [only, ...others] = all;
    return only === undefined || others.length > 0
      ? begin
      : { start: only.index, end: only.index + name.length };
  }
}

/** Returns the first procedure that uses each shared schema. */
function findUsers(document: DocumentPart): ReadonlyMap<string, string> {
  const users = new Map<string, string>();
  const schemas = document.get("schemas");
  for (const procedure of document.get("procedures")?.entries() ?? []) {
    const parts = [procedure];
    for (const part of parts) {
      parts.push(...part.entries(), ...part.items());
      const [, name] = /^#\/schemas\/(.*)$/u.exec(part.text ?? "") ?? [];
      const schema = name === undefined ? null : schemas?.get(name);
      if (name === undefined || !schema || users.has(name)) continue;
      users.set(name, procedure.key);
      parts.push(schema);
    }
  }
  return users;
}
