import { parseJson } from "@ridlkit/runtime/json";
import { isRecord } from "@ridlkit/runtime/validation";

import type { OutboundAnswer } from "../../outbound/outbound.js";
import { OutboundError } from "../../outbound/outbound-error.js";
import { orNull } from "../../process/failures/or-null.js";
import { toGateway } from "./ipfs.js";
import type { DocumentSource, Reading } from "./reading.js";

/** A JSON object that describes a token or a contract. */
export type Document = Readonly<Record<string, unknown>>;

/** The maximum size of a document, enough for images in `data:` URIs. */
export const maxDocumentBytes = 256 * 1024;

/**
 * The maximum length of a URI that contains a document. Percent-encoding takes up
 * to three characters for each byte.
 */
const maxUriLength = 3 * maxDocumentBytes + 100;

const timeoutMs = 5000;

/**
 * Statuses below 500 that can be temporary: timeout (RFC 9110), too early
 * (RFC 8470), and too many requests (RFC 6585).
 */
const busyStatuses = [408, 425, 429];

/**
 * Fetches the document that a contract names. Replaces `{id}` in the URI and in
 * the document with the token ID as 64 lowercase hex digits (ERC-1155).
 *
 * Input: `tokenId` is null if the contract's standard does not use `{id}`.
 * Errors: none.
 */
export async function fetchDocument(
  source: DocumentSource,
  uri: string,
  tokenId: bigint | null,
): Promise<Reading<Document>> {
  const putId = (text: string): string =>
    tokenId === null
      ? text
      : text.replaceAll("{id}", tokenId.toString(16).padStart(64, "0"));
  const target = putId(uri.trim());
  if (target.length > maxUriLength)
    return nothing("missing", "it is too large");
  if (target === "") return nothing("missing", "there is no URI");
  if (/^data:/iu.test(target)) {
    return parseDocument(readDataUri(target).map(putId));
  }
  const url = toGateway(target, source.ipfsGateway);
  if (url === null) return nothing("missing", "it is not an IPFS address");
  const answer = await ask(source, url);
  if (answer instanceof OutboundError) {
    const { reason, message } = answer;
    const isFinal = reason === "refused" || reason === "too-large";
    return nothing(isFinal ? "missing" : "unreachable", message);
  }
  const { status } = answer;
  if (status < 200 || status > 299) {
    const isBusy = status >= 500 || busyStatuses.includes(status);
    const reason = `its host responded with ${status}`;
    return nothing(isBusy ? "unreachable" : "missing", reason);
  }
  return parseDocument([putId(new TextDecoder().decode(answer.body))]);
}

/**
 * Returns an error instead of throwing it, because the fault is in the document
 * and not in the platform.
 */
async function ask(
  { outbound }: DocumentSource,
  url: string,
): Promise<OutboundAnswer | OutboundError> {
  try {
    return await outbound.request({
      url,
      method: "GET",
      headers: { accept: "application/json, */*;q=0.5" },
      timeoutMs,
      maxBytes: maxDocumentBytes,
      maxRedirects: 3,
    });
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
}

/** Parses the first string that is a JSON object. */
function parseDocument(texts: readonly string[]): Reading<Document> {
  for (const text of texts) {
    if (text.length > maxDocumentBytes) continue;
    const value = orNull(() => parseJson(text));
    if (isRecord(value)) return { value, outcome: "found", reason: "" };
  }
  return nothing("missing", "it is not a JSON object, or it is too large");
}

function nothing(
  outcome: "missing" | "unreachable",
  reason: string,
): Reading<Document> {
  return { value: {}, outcome, reason };
}

/**
 * Returns the possible contents of a `data:` URI, starting with the standard
 * interpretation (RFC 2397). Returns none for any other URI. Some contracts
 * embed JSON without the required escaping.
 */
function readDataUri(uri: string): readonly string[] {
  const [, parameters, data] = /^data:([^,]*),(.*)$/isu.exec(uri) ?? [];
  if (parameters === undefined || data === undefined) return [];
  const unescaped = orNull(() => decodeURIComponent(data));
  const texts = unescaped === null ? [data] : [unescaped, data];
  if (!/;\s*base64\s*$/iu.test(parameters)) return texts;
  return texts.map((text) => Buffer.from(text, "base64").toString());
}
