import type { Contract, Host, Method, Service } from "../../ir/contract.js";

/** Anchors of the headings of a page about hosts. */
export interface Anchors {
  readonly services: ReadonlyMap<Service, string>;
  readonly methods: ReadonlyMap<Method, string>;
  /** Anchors by name. */
  readonly types: ReadonlyMap<string, string>;
  readonly errors: string;
}

/** Finds the anchors that GitHub and similar sites derive from headings. */
export function createAnchors(
  { credentials, types }: Contract,
  hosts: readonly Host[],
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
  for (const { name } of hosts) claim(name);
  if (credentials.length > 0) claim("Credentials");
  const services = new Map<Service, string>();
  const methods = new Map<Method, string>();
  for (const service of hosts.flatMap((host) => host.services)) {
    services.set(service, claim(service.name));
    for (const method of service.methods) {
      methods.set(method, claim(`${service.name}.${method.name}`));
    }
  }
  if (types.length > 0) claim("Types");
  const byName = types.map(({ name }): [string, string] => [name, claim(name)]);
  return { services, methods, types: new Map(byName), errors: claim("Errors") };
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}
