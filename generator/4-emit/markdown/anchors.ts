import type { Contract, Host, Method } from "../../ir/contract.js";
import { markdownText } from "./markdown-text.js";

/** Anchors of the headings of a page. */
export interface Anchors {
  /** Anchors by name. */
  readonly services: ReadonlyMap<string, string>;
  readonly methods: ReadonlyMap<Method, string>;
  /** Anchors by name. */
  readonly types: ReadonlyMap<string, string>;
  readonly errors: string;
}

/** Finds the anchors that GitHub and similar sites derive from headings. */
export function createAnchors(
  { credentials, types }: Contract,
  host: Host,
): Anchors {
  const taken = new Map<string, number>();
  const claim = (heading: string): string => {
    const slug = slugOf(heading);
    let count = taken.get(slug) ?? 0;
    let anchor = count === 0 ? slug : `${slug}-${count}`;
    while (taken.has(anchor)) {
      count += 1;
      anchor = `${slug}-${count}`;
    }
    taken.set(slug, count);
    taken.set(anchor, taken.get(anchor) ?? 0);
    return anchor;
  };
  claim(host.name);
  if (credentials.length > 0) claim("Credentials");
  const services = new Map<string, string>();
  const methods = new Map<Method, string>();
  for (const service of host.services) {
    services.set(service.name, claim(service.name));
    for (const method of service.methods) {
      methods.set(method, claim(headingOf(method)));
    }
  }
  if (types.length > 0) claim("Types");
  const byName = types.map(({ name }): [string, string] => [name, claim(name)]);
  return { services, methods, types: new Map(byName), errors: claim("Errors") };
}

/** Returns the heading of a method. */
export function headingOf({ name, service }: Method): string {
  return `${service}.${name}`;
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * Returns a link to a heading of the page, or only the text if there is no
 * anchor.
 */
export function linkTo(text: string, anchor: string | undefined): string {
  const label = markdownText(text);
  return anchor === undefined ? label : `[${label}](#${encodeURI(anchor)})`;
}
