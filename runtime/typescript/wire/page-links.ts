/**
 * Returns a parameter of the query of the link to the next page. Returns
 * undefined if there is no such link, and null if it has no such parameter.
 * Source: RFC 8288, section 3.
 */
export function findInLinks(
  links: string | null | undefined,
  parameter: string,
): string | null | undefined {
  const found = (links ?? "").matchAll(/<([^<>]*)>([^<]*)/g);
  const next = Array.from(found).find(([, , rest = ""]) => {
    const [, quoted, bare] =
      /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(rest) ?? [];
    return /(?:^| )next(?: |$)/i.test(quoted ?? bare ?? "");
  });
  const [, query] = /\?([^#]*)/.exec(next?.[1] ?? "") ?? [];
  return next && new URLSearchParams(query).get(parameter);
}

/** Returns the token or the number of a page. */
export function pageKey(page: unknown): unknown {
  return Object(page).page ?? page;
}
