/** A URL in two parts. */
export interface RequestUrl {
  /** Scheme, host and port, e.g. `https://example.com`. */
  readonly origin: string;
  /** Path and query, e.g. `/rpc/API/Ping?x=1`. */
  readonly target: string;
}

/**
 * Targets that URLs have as they are: no segments of dots, and no character that
 * would be escaped.
 */
const plainTarget = /^(?:\/(?!\.|%2e)[\w!$%&()*+,\-.:;=?@[\]|~]*)+$/iu;

/**
 * Reads the URL of a request, in the form that `new URL` has: who looks at the
 * path has to see the same one as who comes next. Null: it is none.
 *
 * Input: the header `Host`, null when there is none, as in HTTP/1.0; path and
 * query as they came, or a whole URL, as proxies are sent.
 */
export type ReadUrl = (
  isSecure: boolean,
  host: string | null,
  target: string,
) => RequestUrl | null;

/** Makes a reader, which remembers the host: nearly all requests name the same. */
export function createUrlReader(): ReadUrl {
  let known: string | null = null;
  let scheme = "";
  let origin = "";
  return (isSecure, host, target) => {
    const wanted = isSecure ? "https:" : "http:";
    if (origin === "" || host !== known || wanted !== scheme) {
      const url = parse(`${wanted}//${host ?? "localhost"}`);
      // More than a host would change the path of all requests.
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
