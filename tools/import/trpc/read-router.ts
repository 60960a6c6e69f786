import { callMember, isHolder, listOf, readMember } from "./schemas/members.js";

/** A procedure of a router. */
export interface RouterProcedure {
  /** The names of its routers and its own, e.g. `post.byId`. */
  readonly path: string;
  readonly kind: "query" | "mutation" | "subscription";
  /** The parsers of its input, whose values tRPC combines. */
  readonly inputs: readonly unknown[];
  /** The parser of its output, or null. */
  readonly output: unknown;
  readonly description: string | null;
  readonly isDeprecated: boolean;
  /** Whether middleware of the application runs before the resolver. */
  readonly hasMiddleware: boolean;
}

/** What a router of tRPC 10 or 11 tells about itself. */
export interface FoundRouter {
  readonly procedures: readonly RouterProcedure[];
  /** Whether values such as dates are encoded, e.g. by superjson. */
  readonly hasTransformer: boolean;
  readonly hasErrorFormatter: boolean;
}

/** A router, or why there is none. */
export type RouterSearch =
  | { readonly router: object; readonly name: string }
  | { readonly fault: string; readonly help: string };

/** Whether a value is a router. */
function isRouter(value: unknown): value is object {
  const definition = readMember(value, "_def");
  return (
    readMember(definition, "router") === true &&
    isHolder(readMember(definition, "procedures"))
  );
}

/**
 * Finds the router that a module exports under a name. Without a name, it must
 * export exactly one.
 */
export function findRouter(
  exports: unknown,
  name: string | null,
): RouterSearch {
  const names = isHolder(exports) ? Object.keys(exports) : [];
  // A CommonJS module also has its exports as those of `default`.
  const inner = readMember(exports, "default");
  const innerNames =
    isHolder(inner) && !isRouter(inner) ? Object.keys(inner) : [];
  const find = (key: string): unknown =>
    names.includes(key) ? readMember(exports, key) : readMember(inner, key);
  const all = [...new Set([...names, ...innerNames])].filter((key) =>
    isRouter(find(key)),
  );
  const list = all.map((key) => `\`${key}\``).join(", ");
  if (name !== null) {
    const found = find(name);
    if (isRouter(found)) return { router: found, name };
    return {
      fault: `the module exports no router \`${name}\``,
      help: all.length === 0 ? exportHelp : `it exports ${list}`,
    };
  }
  const routers = new Map(
    all.toReversed().map((key) => [find(key), key] as const),
  );
  const [only, ...others] = routers;
  if (only === undefined) {
    return { fault: "the module exports no router of tRPC", help: exportHelp };
  }
  if (others.length > 0) {
    const help = `choose one with \`--export\`, e.g. \`--export ${all[0] ?? ""}\``;
    return { fault: `the module exports several routers: ${list}`, help };
  }
  const [router, key] = only;
  return isHolder(router)
    ? { router, name: key }
    : { fault: "the module exports no router of tRPC", help: exportHelp };
}

const exportHelp =
  "export the router, e.g. `export const appRouter = t.router({ … })`";

/** Loads the routers that a router imports when they are called. */
export async function loadLazyRouters(router: object): Promise<void> {
  // A loaded router can contain others.
  for (let round = 0; round < 20; round++) {
    const lazy = readMember(readMember(router, "_def"), "lazy");
    const loaders = isHolder(lazy) ? Object.values(lazy) : [];
    if (loaders.length === 0) return;
    for (const loader of loaders) await callMember(loader, "load");
  }
}

/** Reads the procedures of a router. */
export function readRouter(router: object): FoundRouter {
  const definition = readMember(router, "_def");
  const config = readMember(definition, "_config");
  const procedures = readMember(definition, "procedures");
  const entries = isHolder(procedures) ? Object.entries(procedures) : [];
  return {
    procedures: entries.flatMap(([path, procedure]) =>
      flattenProcedure(path, procedure),
    ),
    hasTransformer: isTransforming(readMember(config, "transformer")),
    hasErrorFormatter: isFormatting(readMember(config, "errorFormatter")),
  };
}

const kinds = ["query", "mutation", "subscription"] as const;

function flattenProcedure(
  path: string,
  procedure: unknown,
): readonly RouterProcedure[] {
  const definition = readMember(procedure, "_def");
  const kind = kinds.find(
    (each) =>
      readMember(definition, "type") === each ||
      readMember(definition, each) === true,
  );
  if (kind === undefined) return [];
  const meta = readMember(definition, "meta");
  const openapi = readMember(meta, "openapi");
  const texts = [meta, openapi].flatMap((holder) =>
    ["description", "summary"].map((key) => readMember(holder, key)),
  );
  // tRPC's own middleware validates inputs and outputs, and the last is the
  // resolver.
  const own = listOf(readMember(definition, "middlewares")).slice(0, -1);
  return [
    {
      path,
      kind,
      inputs: listOf(readMember(definition, "inputs")),
      output: readMember(definition, "output") ?? null,
      description:
        texts.find((text): text is string => typeof text === "string") ?? null,
      isDeprecated: [meta, openapi].some(
        (holder) => readMember(holder, "deprecated") === true,
      ),
      hasMiddleware: own.some(
        (each) => typeof readMember(each, "_type") !== "string",
      ),
    },
  ];
}

/** The default transformer returns values as they are. */
function isTransforming(transformer: unknown): boolean {
  const probe = new Date(0);
  const output = readMember(transformer, "output");
  return (
    output !== undefined && callMember(output, "serialize", probe) !== probe
  );
}

function isFormatting(formatter: unknown): boolean {
  return (
    typeof formatter === "function" && formatter.name !== "defaultFormatter"
  );
}
