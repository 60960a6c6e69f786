import { isFunction, memberOf } from "../../values/member.js";
import type { Eventually } from "../model/eventually.js";
import type { ServerRequest, ServerResponse } from "../model/exchange.js";
import type { ServerMethod } from "../model/server-method.js";
import { maxPieceBytes } from "./paced-stream.js";

/** Answers GET of one method for caches. */
export class ConditionalRead {
  /** Headers of its responses, without a tag. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #tagOf: TagOf = createTagger();
  /** Whether the response has one of several statuses. */
  readonly #isStatus: boolean;

  constructor(
    { route }: ServerMethod,
    headers: Readonly<Record<string, string>>,
  ) {
    this.headers = headers;
    this.#isStatus = route.kind === "rest" && route.statuses !== undefined;
  }

  /**
   * Adds the headers and a tag to a response. If the client already has the
   * response, returns a 304 without a body (RFC 9110, section 13).
   */
  respond(
    request: ServerRequest,
    response: ServerResponse,
  ): Eventually<ServerResponse> {
    const { "content-type": _, ...fields } = response.headers;
    // Fields in headers are part of the content, and so is one of several
    // statuses.
    const isStatus = this.#isStatus;
    const isWhole = Object.keys(fields).length === 0 && !isStatus;
    const content = isWhole
      ? ""
      : JSON.stringify(isStatus ? [response.status, fields] : fields);
    const withTag = (etag: string): ServerResponse => {
      const isCached = isKnown(request.header("if-none-match"), etag);
      // Properties after a spread take ten times as long as before one.
      const rest = isCached ? fields : response.headers;
      const headers = { etag, ...rest, ...this.headers };
      return isCached
        ? { status: 304, headers, body: "" }
        : { ...response, headers };
    };
    const { etag = this.#tagOf(response.body + content) } = fields;
    return typeof etag === "string" ? withTag(etag) : etag.then(withTag);
  }
}

/** Returns a weak tag, because compression changes the bytes of the response. */
type TagOf = (body: string) => Eventually<string>;

/**
 * Creates a function that returns tags. It keeps the last one, because comparing
 * takes less time than a digest, and clients that poll often get the same body.
 */
export function createTagger(): TagOf {
  const digest = nodeDigest() ?? webDigest;
  let last: { readonly body: string; readonly tag: Eventually<string> } | null =
    null;
  return (body) => {
    if (body === last?.body) return last.tag;
    const hex = digest(body);
    const tag = typeof hex === "string" ? toTag(hex) : hex.then(toTag);
    if (body.length <= maxPieceBytes) last = { body, tag };
    return tag;
  };
}

const tagBytes = 16;

function toTag(hex: string): string {
  return `W/"${hex.slice(0, 2 * tagBytes)}"`;
}

/** Returns the SHA-256 digest of a text in hexadecimal digits. */
type Digest = (text: string) => Eventually<string>;

const webDigest: Digest = (text) =>
  crypto.subtle
    .digest("SHA-256", new TextEncoder().encode(text))
    .then((digest) =>
      Array.from(new Uint8Array(digest, 0, tagBytes), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
    );

/**
 * Returns Node's digest, or null in other runtimes. Web Crypto computes on another
 * thread, which takes longer than most calls.
 */
function nodeDigest(): Digest | null {
  const node = memberOf(globalThis, "process");
  const load = memberOf(node, "getBuiltinModule");
  if (!isFunction(load)) return null;
  const hash = memberOf(load.call(node, "node:crypto"), "hash");
  return isFunction(hash) ? (text) => String(hash("sha256", text)) : null;
}

/** Whether `If-None-Match` contains the tag, strong or weak. */
export function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//u, ""));
  return tags.includes(etag.replace(/^W\//u, ""));
}
