import type { Method } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Verb } from "../../ir/contract.js";
import { groupBy } from "../../ir/group-by.js";
import { findAnnotation } from "../notation/annotations.js";
import { parsePathTemplate, shapeOf } from "../../ir/path-template.js";
import { basePathOf } from "../notation/base-path.js";
import type { Span } from "../../source/source.js";
import type { CheckedHost, Program } from "./program.js";
import { findRestMethods, type RestMethod } from "./rest-methods.js";

/** The verb and the path of a method of a host. */
export interface DeclaredRoute {
  readonly method: Method;
  readonly document: LoadedDocument;
  /** Null for a method without an address of its own. */
  readonly rest: RestMethod | null;
  readonly verb: Verb;
  /** The path without the names of its parameters. */
  readonly shape: string;
  /** The path, or the name of a method whose path follows from it. */
  readonly at: { readonly span: Span };
}

/**
 * Returns the routes of each host, those of methods with an address of their
 * own first. Hosts without such methods are omitted.
 */
export function routesByHost(
  program: Program,
): readonly (readonly DeclaredRoute[])[] {
  const all = groupBy(findRestMethods(program), ({ service }) => service);
  return program.hosts
    .map((host) =>
      routesOf(
        host,
        host.services.flatMap(({ syntax }) => all.get(syntax) ?? []),
      ),
    )
    .filter((routes) => routes.length > 0);
}

function routesOf(
  host: CheckedHost,
  methods: readonly RestMethod[],
): readonly DeclaredRoute[] {
  const own = methods.map((rest) => ({
    method: rest.method,
    document: rest.document,
    rest,
    verb: rest.verb,
    shape: shapeOf(rest.binding.path),
    at: rest.binding.pathPart ?? rest.binding.place,
  }));
  return own.length === 0 ? [] : [...own, ...callsOf(host, own)];
}

function callsOf(
  { document: entry, services }: CheckedHost,
  own: readonly DeclaredRoute[],
): readonly DeclaredRoute[] {
  const isRest = new Set(own.map(({ method }) => method));
  const base = basePathOf(entry);
  return services.flatMap(({ document, syntax: { methods, name } }) =>
    methods.flatMap((method) => {
      if (isRest.has(method) || findAnnotation(method, "webhook")) return [];
      const path = `${base}${name.text}/${method.name.text}`;
      const shape = shapeOf(parsePathTemplate(path));
      const verb = "POST" as const;
      return { method, document, rest: null, verb, shape, at: method.name };
    }),
  );
}
