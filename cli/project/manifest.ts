import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { isRecord } from "../../generator/ir/is-record.js";
import { hash } from "node:crypto";
import { configFileName } from "../config/config.js";
import { isBelow } from "../system/paths.js";

/**
 * Lists the files that a run read and wrote. From this list, the next run finds
 * out what changed and which files it may replace. A manifest contains no times
 * or absolute paths, so it can be committed.
 */
export interface Manifest {
  /** The command that wrote the files. */
  readonly command: "generate" | "package";
  /** The configuration of the run, as a path from the output folder. */
  readonly config: string;
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
  /** The hosts that can be generated separately, or null. */
  readonly separateHosts: SeparateHosts | null;
}

/** The hosts of a contract whose files can be generated separately. */
export interface SeparateHosts {
  /** The names in `Names.repeated`. */
  readonly repeatedMethods: readonly string[];
  /** Hosts by document path, in the order of the contract. */
  readonly documents: ReadonlyMap<string, SeparateHost>;
}

/** Generated files, and what the manifest says about them. */
export interface GeneratedFiles {
  /** Files in path order. */
  readonly files: readonly OutputFile[];
  /** Hashes of files that are kept unchanged, by path. */
  readonly kept: ReadonlyMap<string, string>;
  /** What the next run needs to generate a single host, or null. */
  readonly separateHosts: SeparateHosts | null;
}

/** A host that can be generated separately. */
export interface SeparateHost {
  readonly name: string;
  /**
   * The digest from `hashHosts`, or null if other files may depend on the host.
   */
  readonly digest: string | null;
}

/** Name of the manifest in the output folder. */
export const manifestName = ".ridl-manifest.json";

/** The configuration beside the output folder, which most manifests mean. */
export const nearestConfig = `../${configFileName}`;

/** Returns the SHA-256 of a text in hex. CRLF and LF give the same hash. */
export function hashText(text: string): string {
  return hash("sha256", withLineFeeds(text));
}

/** Returns the SHA-256 of a text in base64url. */
export function digestText(text: string): string {
  return hash("sha256", text, "base64url");
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
  const { command, config, version, settings, schema, documents } = manifest;
  const { inputs, files, separateHosts } = manifest;
  const data = {
    ...(command === "package" && { command }),
    ...(config !== nearestConfig && { config }),
    version,
    settings: JSON.parse(settings) as unknown,
    schema,
    documents,
    inputs: Object.fromEntries(sortEntries(inputs)),
    files: Object.fromEntries(sortEntries(files)),
    ...(separateHosts && {
      separateHosts: {
        ...separateHosts,
        documents: Object.fromEntries(separateHosts.documents),
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
  const { config, version, settings, schema, documents } = data;
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
    config: typeof config === "string" ? config : nearestConfig,
    version,
    settings: JSON.stringify(settings ?? null),
    schema,
    documents,
    inputs,
    files,
    separateHosts: toSeparateHosts(data["separateHosts"]),
  };
}

/** Returns null if anything is invalid, so that everything is generated. */
function toSeparateHosts(value: unknown): SeparateHosts | null {
  if (!isRecord(value)) return null;
  const { documents, repeatedMethods } = value;
  if (!isRecord(documents) || !isStringList(repeatedMethods)) return null;
  const entries = Object.entries(documents);
  const known = entries.filter((entry): entry is [string, SeparateHost] =>
    isSeparateHost(entry[1]),
  );
  if (known.length < entries.length) return null;
  return { repeatedMethods, documents: new Map(known) };
}

function isSeparateHost(value: unknown): value is SeparateHost {
  if (!isRecord(value)) return false;
  const { digest, name } = value;
  return isStringList([name, digest ?? ""]);
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
