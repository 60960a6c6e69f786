/**
 * The HTTP method and path of an RPC method. The path can contain parameters.
 */
export interface RouteAddress {
  readonly verb: string;
  /**
   * Path, e.g. `/rpc/API/GetSwapPrice` or
   * `/{network}/rpc/Marketplace/GetOrders`.
   */
  readonly path: string;
}

/** All methods with the same path. */
export interface Endpoint<Method> {
  readonly byVerb: ReadonlyMap<string, Method>;
  /** Value of the `Allow` header, e.g. `POST`. */
  readonly allow: string;
}

/**
 * The endpoint of a request, with the encoded values of its path parameters.
 */
export interface Match<Method> {
  readonly endpoint: Endpoint<Method>;
  /** Values in the order of the path, still percent-encoded. */
  readonly values: readonly string[];
}

/**
 * Finds the endpoint for a path: the most specific one that has the HTTP method,
 * or, if none has it, one that lists the HTTP methods of all. Returns null if
 * there is none.
 */
export type Routes<Method> = (
  path: string,
  verb: string,
) => Match<Method> | null;

/** Templates with the same parameters, apart from their names. */
interface Shape<Method> {
  readonly segmentCount: number;
  /** The path without the text of its literals. */
  readonly outline: string;
  /** Sorts the shapes: that with the first larger number takes precedence. */
  readonly order: readonly number[];
  readonly holes: readonly Hole[];
  /** Endpoints by path, without the names of its parameters. */
  readonly endpoints: Map<string, GrowingEndpoint<Method>>;
}

/** A segment with a parameter, such as `v{id}.json`. */
interface Hole {
  readonly position: number;
  readonly prefix: string;
  readonly suffix: string;
  /** The segment without the name, e.g. `v{}.json`. */
  readonly key: string;
}

interface GrowingEndpoint<Method> extends Endpoint<Method> {
  readonly byVerb: Map<string, Method>;
  allow: string;
}

/**
 * Returns the path of a request target without the query, fragment, scheme, and
 * host. The result starts with a slash, unless the target is invalid.
 */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  const all = query === -1 ? target : target.slice(0, query);
  // Node passes on a fragment, and web-standard requests do not.
  const fragment = all.indexOf("#");
  const whole = fragment === -1 ? all : all.slice(0, fragment);
  if (whole.startsWith("/")) return whole;
  // Handles the absolute form, which proxies send and `Request.url` uses.
  return whole.replace(/^(?:https?:\/\/[^/@]+)?(?=\/|$)/iu, "") || "/";
}

/** Returns the names of a path's parameters in order. */
export function parameterNames(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
}

/**
 * Prepares the lookup. Uses one map for paths without parameters and one for
 * each arrangement of parameters. If several arrangements match, the first
 * segment in which they differ decides: a literal takes precedence, then the
 * parameter with the longest text around it, then the one with the longest
 * prefix.
 *
 * Errors: `TypeError` if two RPC methods have the same HTTP method and path.
 */
export function createRoutes<Method>(
  methods: readonly Method[],
  placeOf: (method: Method) => RouteAddress,
): Routes<Method> {
  const plain = new Map<string, Match<Method>>();
  const shapes: Shape<Method>[] = [];
  for (const method of methods) {
    const { verb, path } = placeOf(method);
    const shape = shapeFor(path, shapes);
    const key = path.replace(/\{\w+\}/g, "{}");
    const endpoint = endpointFor(key, shape.endpoints);
    if (endpoint.byVerb.has(verb)) {
      throw new TypeError(`two methods have the address ${verb} ${path}`);
    }
    endpoint.byVerb.set(verb, method);
    endpoint.allow = [...endpoint.byVerb.keys()].join(", ");
    if (shape.holes.length === 0) plain.set(path, { endpoint, values: [] });
  }
  const templates = shapes.filter((shape) => shape.holes.length > 0);
  templates.sort(mostSpecificFirst);
  return (path, verb) => {
    const exact = plain.get(path) ?? null;
    if (templates.length === 0 || exact?.endpoint.byVerb.has(verb))
      return exact;
    return matchTemplate(path, verb, templates, exact);
  };
}

function matchTemplate<Method>(
  path: string,
  verb: string,
  shapes: readonly Shape<Method>[],
  exact: Match<Method> | null,
): Match<Method> | null {
  const segments = path.split("/");
  let other = exact;
  for (const shape of shapes) {
    if (shape.segmentCount !== segments.length) continue;
    const key = [...segments];
    for (const hole of shape.holes) key[hole.position] = hole.key;
    const endpoint = shape.endpoints.get(key.join("/"));
    if (endpoint === undefined) continue;
    const values = shape.holes.map((hole) => valueIn(segments, hole));
    if (values.includes("")) continue;
    if (endpoint.byVerb.has(verb)) return { endpoint, values };
    other =
      other === null
        ? { endpoint, values }
        : { ...other, endpoint: joined(other.endpoint, endpoint) };
  }
  return other;
}

/** Returns the text in place of a parameter, or "" if the segment differs. */
function valueIn(
  segments: readonly string[],
  { key, position, prefix, suffix }: Hole,
): string {
  const segment = segments[position] ?? "";
  if (key === "{}") return segment;
  return segment.startsWith(prefix) && segment.endsWith(suffix)
    ? segment.slice(prefix.length, segment.length - suffix.length)
    : "";
}

/** Returns the first of two endpoints, which also lists the other's verbs. */
function joined<Method>(
  first: Endpoint<Method>,
  second: Endpoint<Method>,
): Endpoint<Method> {
  const verbs = [first, second].flatMap(({ allow }) => allow.split(", "));
  return { byVerb: first.byVerb, allow: [...new Set(verbs)].join(", ") };
}

function shapeFor<Method>(
  path: string,
  shapes: Shape<Method>[],
): Shape<Method> {
  const segments = path.split("/").map(toHole);
  const outline = segments.map((hole) => hole?.key ?? "").join("/");
  const known = shapes.find((shape) => shape.outline === outline);
  if (known !== undefined) return known;
  const holes = segments.flatMap((hole) => hole ?? []);
  const order = holes.flatMap(({ key, position, prefix }) => [
    position,
    key.length,
    prefix.length,
  ]);
  const segmentCount = segments.length;
  const endpoints = new Map<string, GrowingEndpoint<Method>>();
  const shape = { segmentCount, outline, order, holes, endpoints };
  shapes.push(shape);
  return shape;
}

/** Returns the parameter of a segment, or null for a literal. */
function toHole(segment: string, position: number): Hole | null {
  const [prefix = "", name, suffix = ""] = segment.split(/\{(\w+)\}/);
  const key = `${prefix}{}${suffix}`;
  return name === undefined ? null : { position, prefix, suffix, key };
}

function endpointFor<Method>(
  key: string,
  endpoints: Map<string, GrowingEndpoint<Method>>,
): GrowingEndpoint<Method> {
  const known = endpoints.get(key);
  if (known !== undefined) return known;
  const endpoint = { byVerb: new Map<string, Method>(), allow: "" };
  endpoints.set(key, endpoint);
  return endpoint;
}

function mostSpecificFirst(a: Shape<unknown>, b: Shape<unknown>): number {
  const length = Math.max(a.order.length, b.order.length);
  for (let index = 0; index < length; index += 1) {
    const difference =
      (b.order[index] ?? Infinity) - (a.order[index] ?? Infinity);
    if (difference !== 0) return difference;
  }
  return 0;
}
