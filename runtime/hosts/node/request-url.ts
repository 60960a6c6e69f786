/** A URL in two parts. */
export interface RequestUrl {
  /** Scheme, host and port, e.g. `https://example.com`. */
  readonly origin: string;
  /** Path and query, e.g. `/rpc/API/Ping?x=1`. */
  readonly target: string;
}

/**
 * Targets that `new URL` would not change: no dot segments and no characters
 * that need escaping.
 */
const plainTarget = /^(?:\/(?!\.|%2e)[\w!$%&()*+,\-.:;=?@[\]|~]*)+$/iu;

/**
 * Reads the URL of a request in the form of `new URL`, so that every reader of
 * the path sees the same one. Output: null if it is invalid.
 *
 * Input: the header `Host`, null if absent, as in HTTP/1.0; the path and query
 * as received, or an absolute URL, as sent to proxies.
 */
export type ReadUrl = (
  isSecure: boolean,
  host: string | null,
  target: string,
) => RequestUrl | null;

/**
 * Creates a reader that remembers the host, because most requests have the
 * same.
 */
export function createUrlReader(): ReadUrl {
  let known: string | null = null;
  let scheme = "";
  let origin = "";
  return (isSecure, host, target) => {
    const wanted = isSecure ? "https:" : "http:";
    if (origin === "" || host !== known || wanted !== scheme) {
      const url = parse(`${wanted}//${host ?? "localhost"}`);
      // Anything more than a host would change the path of every request.
      if (url === null || url.href !== `${url.origin}/`) return null;
      [known, scheme, origin] = [host, wanted, url.origin];
    }
    return plainTarget.test(target)
      ? { origin, target }
      : readUnusual(target.startsWith("/") ? origin + target : target);
  };
}

function readUnusual(text: string): RequestUrl | null {
  const url = parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return null;
  url.hash = "";
  const { href, origin } = url;
  // This excludes URLs that contain a user name.
  if (!href.startsWith(`${origin}/`)) return null;
  return { origin, target: href.slice(origin.length) };
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
