import { posix } from "node:path/posix";
import type { FormNode } from "../../../generator/1-parse/form/form-node.js";
import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";
import type { Location, Source } from "../../../generator/source/source.js";
import { DocumentPart } from "./document-part.js";
import { readJson } from "./read-json.js";
import { readYamlTree } from "./read-yaml-tree.js";
import {
  isSwagger,
  upgradePointer,
  upgradeSwagger,
} from "./upgrade-swagger.js";

/** What a reader finds at a path: a text, or why there is none. */
export type FoundFile = { readonly text: string } | { readonly fault: string };

/**
 * Supplies the files of a document by their paths, e.g. `schemas/order.yaml`,
 * relative to the folder of the document. Refuses files outside this folder.
 */
export type FileReader = (path: string) => FoundFile;

/** A longer chain of references is a mistake. */
const maxHops = 100;

/** The files of a document, which are read when a reference needs them. */
export class DocumentFiles {
  readonly faults: Diagnostic[] = [];
  readonly #read: FileReader;
  readonly #files = new Map<string, DocumentPart | null>();
  readonly #reported = new Set<string>();
  /** The paths of documents in Swagger 2. */
  readonly #upgraded = new Set<string>();

  constructor(read: FileReader) {
    this.#read = read;
  }

  /** Opens a file. Reports a fault at `from`, and returns null. */
  open(path: string, from: Location | null): DocumentPart | null {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    this.#files.set(path, null);
    const found = this.#read(path);
    if ("fault" in found) {
      this.report(`cannot read \`${path}\`: ${found.fault}`, from);
      return null;
    }
    const source = { path, text: found.text };
    const part = this.#parse(source);
    this.#files.set(path, part);
    return part;
  }

  #parse(source: Source): DocumentPart | null {
    const { text, path } = source;
    const isBraced = /^\ufeff?[ \t\r\n]*[[{]/u.test(text);
    const json = isBraced || path.endsWith(".json") ? readJson(text) : null;
    // YAML may begin with a brace, too.
    const isYaml =
      json === null || ("message" in json && !path.endsWith(".json"));
    const read = isYaml ? readYamlTree(text) : json;
    if (isNode(read)) {
      if (!isSwagger(read)) return new DocumentPart(read, source);
      this.#upgraded.add(path);
      return new DocumentPart(upgradeSwagger(read), source);
    }
    this.report(`syntax error: ${read.message}`, { source, span: read.span });
    return null;
  }

  /**
   * Follows `$ref` until there is none. Returns null after a cycle, and if the
   * target is missing or outside the folder, which is reported.
   */
  resolve(part: DocumentPart): DocumentPart | null {
    return this.hopsFrom(part)?.at(-1) ?? null;
  }

  /**
   * Returns a part and all that `$ref` leads to, of which the last has no `$ref`.
   * Returns null where `resolve` does.
   */
  hopsFrom(part: DocumentPart): readonly DocumentPart[] | null {
    const hops = [part];
    for (let at = part; hops.length <= maxHops; hops.push(at)) {
      const ref = at.get("$ref");
      if (ref?.text === undefined || ref?.text === null) return hops;
      const next = this.#target(ref, ref.text);
      if (next === null) return null;
      at = next;
    }
    this.report("the reference leads to itself", part.location);
    return null;
  }

  /**
   * Follows a text at a part as a reference: a pointer, or the name of a schema,
   * as in the mapping of a discriminator.
   */
  follow(part: DocumentPart, text = part.text ?? ""): DocumentPart | null {
    const found = this.#target(part, pointerOf(text));
    return found && this.resolve(found);
  }

  /** Returns what `follow` does, but reports nothing if there is no such part. */
  find(part: DocumentPart): DocumentPart | null {
    const [file, pointer] = split(pointerOf(part.text ?? ""));
    const path = pathFrom(part, file);
    if (isAddress(file) || isOutside(path)) return null;
    const isOpen = this.#files.has(path);
    if (!isOpen && "fault" in this.#read(path)) return null;
    const found = this.#walk(path, pointer, null);
    return found && this.resolve(found);
  }

  #target(ref: DocumentPart, text: string): DocumentPart | null {
    const [file, pointer] = split(text);
    const { location } = ref;
    if (isAddress(file)) {
      const reason = "nothing is fetched: save it in the document's folder";
      return this.report(
        `reference \`${text}\` is an address; ${reason}`,
        location,
      );
    }
    const path = pathFrom(ref, file);
    if (isOutside(path)) {
      const reason = "is outside the folder of the document";
      return this.report(`\`${text}\` ${reason}`, location);
    }
    return (
      this.#walk(path, pointer, location) ??
      this.report(`there is nothing at \`${text}\``, location)
    );
  }

  /** Returns the part at a pointer into a file, or null if there is none. */
  #walk(
    path: string,
    pointer: string,
    from: Location | null,
  ): DocumentPart | null {
    let at = this.open(path, from);
    const place = this.#upgraded.has(path) ? upgradePointer(pointer) : pointer;
    for (const token of place.split("/").slice(1)) {
      const key = decode(token).replaceAll("~1", "/").replaceAll("~0", "~");
      const item = at?.items()[/^\d{1,9}$/u.test(key) ? Number(key) : -1];
      at = at?.get(key) ?? item ?? null;
    }
    return pointer === "" || pointer.startsWith("/") ? at : null;
  }

  /** Adds an error, and returns null. The same one about a place is added once. */
  report(message: string, location: Location | null): null {
    const key = `${message} ${location?.span.start ?? ""}`;
    if (!this.#reported.has(key)) {
      this.#reported.add(key);
      this.faults.push({
        code: "import-document",
        severity: "error",
        message,
        ...(location && { location }),
      });
    }
    return null;
  }
}

function isNode(
  value: FormNode | { readonly message: string },
): value is FormNode {
  return "kind" in value;
}

/** Returns the file and the pointer of a reference. */
function split(text: string): readonly [file: string, pointer: string] {
  const [file = "", pointer = ""] = text.split("#", 2);
  return [file, pointer];
}

/** Returns a text of a mapping as a reference: it can be the name of a schema. */
function pointerOf(text: string): string {
  return /[#/.]/u.test(text) ? text : `#/components/schemas/${text}`;
}

/** Returns the path of a file that a part refers to. */
function pathFrom({ source }: DocumentPart, file: string): string {
  const name = decode(file);
  if (name === "") return source.path;
  return posix.isAbsolute(name)
    ? name
    : posix.join(posix.dirname(source.path), name);
}

function isAddress(file: string): boolean {
  return /^[a-z][a-z0-9+.-]+:|^\/\//iu.test(file);
}

function isOutside(path: string): boolean {
  return path.startsWith("../") || posix.isAbsolute(path);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
