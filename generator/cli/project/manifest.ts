import { isRecord } from "../../ir/is-record.js";
import { hash } from "node:crypto";
import { isBelow } from "../system/paths.js";

/**
 * Lists the files that a run read and wrote. From this list, the next run finds
 * out what changed and which files it may replace. A manifest contains no times
 * or absolute paths, so it can be committed.
 */
export interface Manifest {
  /** The command that wrote the files. */
  readonly command: "generate" | "package";
  /** Version of ridlkit that wrote the files. */
  readonly version: string;
  /** The settings as JSON text. */
  readonly settings: string;
  /** Patterns of the documents. */
  readonly schema: readonly string[];
  /** Documents that the patterns matched, in pattern order. */
  readonly documents: readonly string[];
  /**
   * Hash of every file read, by path: documents, including imported ones,
   * emitters, and the configuration unless flags override it.
   */
  readonly inputs: ReadonlyMap<string, string>;
  /** Hash of every file written, by path in the output folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The hosts and their parts, or null if everything must be regenerated. */
  readonly parts: Parts | null;
}

/** The hosts of a contract that can be regenerated separately. */
export interface Parts {
  /** Names of the targets that ran. */
  readonly targets: readonly string[];
  /** The names in `Names.repeated`. */
  readonly repeatedMethods: readonly string[];
  /** Paths of the files that are generated from the whole contract. */
  readonly whole: readonly string[];
  /** Hosts by document path, in the order of the contract. */
  readonly hosts: ReadonlyMap<string, HostPart>;
}

/** A host that can be regenerated separately. */
export interface HostPart {
  readonly name: string;
  /** Folder of the host's files. */
  readonly folder: string;
  /**
   * The digest from `hashHosts`, or null if other files may depend on the host.
   */
  readonly digest: string | null;
}

/** Name of the manifest in the output folder. */
export const manifestName = ".ridl-manifest.json";

/** Returns the SHA-256 of a text in hex. CRLF and LF give the same hash. */
export function hashText(text: string): string {
  return hash("sha256", withLineFeeds(text));
}

/** Whether {@link hashText} of a UTF-8 file returns the expected hash. */
export function hasHash(bytes: Uint8Array, expected: string): boolean {
  // Most files do not have to be decoded.
  return (
    hash("sha256", bytes) === expected ||
    (bytes.includes(0x0d) &&
      hashText(new TextDecoder().decode(bytes)) === expected)
  );
}

/** Replaces each CRLF with LF. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

/** Prints a manifest as JSON with sorted paths and one line for each file. */
export function printManifest(manifest: Manifest): string {
  const { command, version, settings, schema, documents } = manifest;
  const { inputs, files, parts } = manifest;
  const data = {
    ...(command === "package" && { command }),
    version,
    settings: JSON.parse(settings) as unknown,
    schema,
    documents,
    inputs: Object.fromEntries(sortEntries(inputs)),
    files: Object.fromEntries(sortEntries(files)),
    ...(parts && {
      parts: {
        targets: parts.targets,
        repeatedMethods: parts.repeatedMethods,
        whole: parts.whole,
        hosts: Object.fromEntries(parts.hosts),
      },
    }),
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}

function sortEntries(map: ReadonlyMap<string, string>): [string, string][] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1));
}

/**
 * Reads a manifest. Returns null if the text is not one or names a file outside
 * the output folder.
 */
export function parseManifest(text: string): Manifest | null {
  const data = parseRecord(text);
  if (data === null) return null;
  const { version, settings, schema, documents } = data;
  const inputs = toHashes(data["inputs"]);
  const files = toHashes(data["files"]);
  if (typeof version !== "string" || inputs === null || files === null) {
    return null;
  }
  if (
    !isStringList(schema) ||
    !isStringList(documents) ||
    ![...files.keys()].every(isBelow)
  ) {
    return null;
  }
  return {
    command: data["command"] === "package" ? "package" : "generate",
    version,
    settings: JSON.stringify(settings ?? null),
    schema,
    documents,
    inputs,
    files,
    parts: toParts(data["parts"]),
  };
}

/** Returns null if anything is invalid, so that everything is regenerated. */
function toParts(value: unknown): Parts | null {
  if (!isRecord(value)) return null;
  const { hosts, repeatedMethods, targets, whole } = value;
  if (!isRecord(hosts) || !isStringList(repeatedMethods)) return null;
  if (!isStringList(targets) || !isStringList(whole)) return null;
  const entries = Object.entries(hosts);
  const known = entries.filter((entry): entry is [string, HostPart] =>
    isHostPart(entry[1]),
  );
  if (known.length < entries.length) return null;
  return { targets, repeatedMethods, whole, hosts: new Map(known) };
}

function isHostPart(value: unknown): value is HostPart {
  if (!isRecord(value)) return false;
  const { digest, folder, name } = value;
  return isStringList([name, folder, digest ?? ""]);
}

/** Parses a JSON object. Returns null if the text is not one. */
export function parseRecord(text: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(text);
    return isRecord(data) ? data : null;
  } catch {
    return null;
  }
}

function isStringList(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === "string")
  );
}

function toHashes(value: unknown): Map<string, string> | null {
  if (!isRecord(value)) return null;
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return new Map(entries);
}
