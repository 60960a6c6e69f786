import { hash } from "node:crypto";
import { isBelow } from "../system/paths.js";

/**
 * What a run read and wrote, kept beside its output: it tells the next run
 * whether anything changed, and which files are ours to replace or remove.
 * It holds no time and no absolute path, so that it can be committed.
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
  /** Documents that the patterns matched, in their order. */
  readonly documents: readonly string[];
  /**
   * Hash of every file read, by its path: documents, imported ones included,
   * emitters, and the configuration unless the command line changed it.
   */
  readonly inputs: ReadonlyMap<string, string>;
  /** Hash of every file written, by its path in the output folder. */
  readonly files: ReadonlyMap<string, string>;
  /** What it takes to make the files of one host; null: make all. */
  readonly parts: Parts | null;
}

/** The hosts of a contract whose files can be made host by host. */
export interface Parts {
  /** Names of the targets that ran. */
  readonly targets: readonly string[];
  /** See `Names.repeated`. */
  readonly repeatedMethods: readonly string[];
  /** Paths of the files that are made from the contract as a whole. */
  readonly whole: readonly string[];
  /** In the order of the contract, by the path of their documents. */
  readonly hosts: ReadonlyMap<string, HostPart>;
}

/** One host of such a contract. */
export interface HostPart {
  readonly name: string;
  /** Folder of its files. */
  readonly folder: string;
  /** See `hashHosts`; null when a change of it may change other files, too. */
  readonly digest: string | null;
}

/** Name of the manifest in the output folder. */
export const manifestName = ".ridl-manifest.json";

/** SHA-256 of a text, in hex; the same whatever line ends git checks out. */
export function hashText(text: string): string {
  return hash("sha256", withLineFeeds(text));
}

/** Whether {@link hashText} of a UTF-8 file is this. */
export function hasHash(bytes: Uint8Array, expected: string): boolean {
  // Most need not be decoded for it.
  return (
    hash("sha256", bytes) === expected ||
    (bytes.includes(0x0d) &&
      hashText(new TextDecoder().decode(bytes)) === expected)
  );
}

/** `text` with LF for each CRLF. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

/** Text of the manifest: sorted, two spaces, a line a file. */
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
 * Reads a manifest.
 *
 * Output: the manifest; null when the text is not one, or names a file outside
 * of the output folder: then nothing there counts as ours.
 */
export function parseManifest(text: string): Manifest | null {
  const data = parseObject(text);
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

/** Null unless everything is as it should be: then all files are made. */
function toParts(value: unknown): Parts | null {
  if (!isObject(value)) return null;
  const { hosts, repeatedMethods, targets, whole } = value;
  if (!isObject(hosts) || !isStringList(repeatedMethods)) return null;
  if (!isStringList(targets) || !isStringList(whole)) return null;
  const entries = Object.entries(hosts);
  const known = entries.filter((entry): entry is [string, HostPart] =>
    isHostPart(entry[1]),
  );
  if (known.length < entries.length) return null;
  return { targets, repeatedMethods, whole, hosts: new Map(known) };
}

function isHostPart(value: unknown): value is HostPart {
  if (!isObject(value)) return false;
  const { digest, folder, name } = value;
  return isStringList([name, folder, digest ?? ""]);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(text);
    return isObject(data) ? data : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStringList(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === "string")
  );
}

function toHashes(value: unknown): Map<string, string> | null {
  if (!isObject(value)) return null;
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return new Map(entries);
}
