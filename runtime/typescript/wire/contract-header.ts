/** The header in which clients and servers say which contract they have. */
export const contractHeader = "webrpc";

/**
 * Returns the digest of a contract in a header, e.g. `aB3_x9` in
 * `shop@v1.3.0;aB3_x9`. Returns null for other headers, such as those of webrpc's
 * clients, and for headers that are too long.
 */
export function readDigest(header: string | null): string | null {
  return parse(header)?.[2] ?? null;
}

/** Returns the version in a header, e.g. `v1.3.0`, or null. */
export function readVersion(header: string | null): string | null {
  return parse(header)?.[1] ?? null;
}

function parse(header: string | null): RegExpExecArray | null {
  if (header === null || header.length > maxLength) return null;
  return /^[\w.+-]{1,40}@([\w.+-]{1,41});([\w-]{6})(?:;|$)/.exec(header);
}

/**
 * Returns the part of a header that names a change, or "" if it would be too
 * long.
 */
export function printReason(change: string): string {
  const text = change.replace(/\p{Surrogate}/gu, "\uFFFD");
  const encoded = encodeURIComponent(text);
  return encoded.length > maxReason ? "" : `;why@${encoded}`;
}

/** Returns the change that a server names in a header, or null. */
export function readReason(header: string | null): string | null {
  if (readDigest(header) === null) return null;
  const encoded = header?.split(";why@", 2)[1];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** Longest change in a header, percent-encoded. */
const maxReason = 1800;

/** More than any header that ridlkit sends. */
const maxLength = 2000;
