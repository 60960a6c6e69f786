import type { Host, Method } from "../../ir/contract.js";
import { methodsOf } from "../../ir/methods-of.js";

/** The HTTP method and the path of an operation. */
export interface HttpRoute {
  readonly verb: "get" | "post";
  /** The path as in the schema, e.g. `/items/{id}`. */
  readonly path: string;
}

/** Two hosts with the same route, each at its own address. */
export interface PathClash {
  readonly route: HttpRoute;
  /** The hosts, in the order of the contract. */
  readonly hosts: readonly [Host, Host];
}

/** Returns the route of a method, or null for a webhook. */
export function httpRouteOf({ route }: Method): HttpRoute | null {
  switch (route.kind) {
    case "rpc":
      return { verb: "post", path: route.path };
    case "rest":
      return { verb: "get", path: route.path.text };
    case "webhook":
      return null;
  }
}

/** Returns a path without the names of its parameters, as in OpenAPI. */
export function shapeOf(path: string): string {
  return path.replace(/\{[^{}]*\}/gu, "{}");
}

/** Returns the names of the placeholders in a path or an address. */
export function parametersIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/\{([^{}]*)\}/gu), ([, name = ""]) => name);
}

/** Finds routes that several hosts have, which one document cannot describe. */
export function findPathClashes(hosts: readonly Host[]): readonly PathClash[] {
  const owners = new Map<string, Host>();
  return hosts.flatMap((host) =>
    methodsOf(host.services).flatMap((method): readonly PathClash[] => {
      const route = httpRouteOf(method);
      if (route === null) return [];
      const key = `${route.verb} ${shapeOf(route.path)}`;
      const owner = owners.get(key);
      owners.set(key, owner ?? host);
      return owner === undefined ? [] : [{ route, hosts: [owner, host] }];
    }),
  );
}
