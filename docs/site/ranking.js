/**
 * Folders and pages that the search omits, because they are not about using
 * ridlkit. The sidebar has lists of them.
 */
const omitted =
  /^(?:apps|bench|decisions|diagnostics|generator|platform|runtime|skills|templates|test|tools)\/|^reference\/runtime\/codegen-|^(?:architecture|CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|SECURITY|overview|index|scale)\./u;

/** Words that a page is about, although other pages repeat them more often. */
const subjects = {
  client: ["retry", "timeout"],
  files: ["download", "progress", "upload"],
  "guides/authentication": ["bearer", "key", "token"],
  "guides/from-trpc": ["trpc"],
  "guides/observability": ["opentelemetry", "tracing"],
  query: ["react"],
  ridl: ["bigint", "date", "optional", "rest", "timestamp"],
  streams: ["events", "sent"],
};

/** Pages that are about everything, in one language or compared with other tools. */
const broad = /^(?:cli|comparison|go|migrate|python)$/u;

/** Whether the search finds a page. Input: its path on the site. */
export function isSearched(path) {
  return !omitted.test(path);
}

/**
 * Returns the weight of a section in the results of the search. Input: the address
 * of the section, relative to the site, and a word that it contains.
 */
export function weightOf(address, term) {
  const [, page, section] = /^([^#]*?)(?:\.html)?(#.*)?$/u.exec(address);
  const name = page.split("/").at(-1);
  const isNamed = name === term || name === `${term}s` || `${name}s` === term;
  const isSubject = isNamed || (subjects[page] ?? []).includes(term);
  return (
    (isSubject ? 4 : 1) *
    (!isNamed && broad.test(page) ? 0.5 : 1) *
    (page.startsWith("reference/") ? 0.2 : 1) *
    (section === undefined ? 1.5 : 1)
  );
}
