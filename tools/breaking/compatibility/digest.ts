import { compareText } from "../../../generator/diagnostics/diagnostic.js";
import type { Contract, Host } from "../../../generator/ir/contract.js";
import { isRecord } from "../../../generator/ir/is-record.js";
import { omitUnused } from "../../../generator/values/filter-contract.js";

/** Properties that clients and servers need not agree on. */
const ignored: ReadonlySet<string> = new Set([
  ...["annotations", "baseUrl", "deprecated", "docs", "document", "host"],
  ...["isSensitive", "metadata", "title", "version"],
]);

/** Properties whose lists have no order that clients and servers depend on. */
const unordered: ReadonlySet<string> = new Set([
  ...["credentials", "errors", "methods", "services", "types"],
]);

/** Number of characters of a digest: 36 bits tell a few contracts apart. */
const digestLength = 6;

/**
 * Returns the digest of a host's contract. Comments, versions, and the places and
 * order of declarations do not change it.
 *
 * Input: the whole contract, before filters, so that clients and servers with
 * different filters agree; and a function that returns a SHA-256 as base64url.
 */
export function digestOf(
  contract: Contract,
  host: Host,
  sha256: (text: string) => string,
): string {
  const part = omitUnused({ ...contract, hosts: [host] });
  return sha256(JSON.stringify(part, toComparable)).slice(0, digestLength);
}

function toComparable(key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (ignored.has(key)) return undefined;
  return unordered.has(key) && Array.isArray(value)
    ? value.toSorted((one, other) => compareText(nameOf(one), nameOf(other)))
    : value;
}

function nameOf(item: unknown): string {
  return isRecord(item) ? String(item["name"]) : String(item);
}

/** Maximum length of a name or version in the header. */
const maxLength = 40;

/** Returns the version of a host, e.g. `v1.4.0`, as it is in a header. */
export function versionOf({ version }: Pick<Host, "version">): string {
  return version === null ? "unversioned" : `v${inHeader(version)}`;
}

/**
 * Returns the header `Webrpc` of a host's clients, e.g. `shop@v1.4.0;aB3_x9`.
 */
export function headerOf(
  { name }: Pick<Host, "name">,
  digest: string,
  version: string,
): string {
  return `${inHeader(name)}@${version};${digest}`;
}

function inHeader(text: string): string {
  return text.replaceAll(/[^\w.+-]/gu, "-").slice(0, maxLength);
}
