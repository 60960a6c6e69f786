/** A URL in two parts. */
export interface RequestUrl {
  /** Scheme, host, and port, e.g. `https://example.com`. */
  readonly origin: string;
  /** Path and query, e.g. `/rpc/API/Ping?x=1`. */
  readonly target: string;
}

/**
 * Matches targets without dot segments and without characters that need
 * escaping, which `new URL` would not change.
 */
const plainTarget = /^(?:\/(?!\.|%2e)[\w!$%&()*+,\-.:;=?@[\]|~]*)+$/iu;

/**
 * Reads the URL of a request and normalizes it like `new URL`, so that all code
 * sees the same path. Returns null if the URL is invalid.
 *
 * Input: the `Host` header, or null if it is absent, as in HTTP/1.0; and the
 * path and query as received, or an absolute URL, as sent to proxies.
 */
export type ReadUrl = (
  isSecure: boolean,
  host: string | null,
  target: string,
) => RequestUrl | null;

/**
 * Creates a reader that caches the last host, because most requests have the
 * same one.
 */
export function createUrlReader(): ReadUrl {
  let known: string | null = null;
  let scheme = "";
  let origin = "";
  return (isSecure, host, target) => {
    const wanted = isSecure ? "https:" : "http:";
    if (host !== known || wanted !== scheme) {
      const url = parse(`${wanted}//${host ?? "localhost"}`);
      // A header that contains more than a host would change the path of every
      // request.
      if (url === null || url.href !== `${url.origin}/`) return null;
      [known, scheme, origin] = [host, wanted, url.origin];
    }
    return plainTarget.test(target)
      ? { origin, target }
      : readUnusual(target.startsWith("/") ? origin + target : target);
  };
}

function readUnusual(text: string): RequestUrl | null {
  // The parser would take a part of the path for a missing host.
  const url = /^https?:\/\/[^/]/iu.test(text) ? parse(text) : null;
  if (url === null) return null;
  url.hash = "";
  const { href, origin } = url;
  // This rejects URLs that contain a user name.
  if (!href.startsWith(`${origin}/`)) return null;
  return { origin, target: href.slice(origin.length) };
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
