import { toExcerpt } from "./to-excerpt.js";

/**
 * A URL: its scheme, credentials, host and all that follows. Slashes can be escaped
 * as in JSON.
 */
const urls =
  /(?<![a-z\d])([a-z][a-z\d+.-]{0,20}:(?:\\?\/){2})(?:[^\s"<>/][^\s"<>]{0,200}@)?([^\s"'<>/?#\\]+)([^\s"'<>]*)/giu;

/** How much of a text is looked at, in characters. */
const maxLength = 8000;

/**
 * Returns an excerpt in which URLs end with their host. What is left out can be a
 * password, the key of a node, or a document that a tenant has sent.
 */
export function toLogText(text: string): string {
  const hidden = text
    .slice(0, maxLength)
    .replace(urls, (_, scheme: string, host: string, rest: string) =>
      rest.length > 1 ? `${scheme}${host}/…` : `${scheme}${host}${rest}`,
    );
  return toExcerpt(hidden);
}
