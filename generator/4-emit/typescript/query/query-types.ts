import type { HostScope } from "../plan/file-scope.js";
import { buildAlias } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { genericOf, unionOf } from "../text/shapes.js";
import type { Doc } from "../text/format.js";

/**
 * Local names of imports from TanStack Query and of type aliases. Each is added
 * to the file when it is first requested.
 */
export interface QueryTypes {
  /** Returns the type of a method's queries and mutations. */
  call(): string;
  /** Returns the type for a method that returns pages. */
  paged(): string;
  /** Returns the type for a method that streams. */
  stream(): string;
  /** Returns the type for a method that has a mutation but no query. */
  mutation(): string;
  /** Returns the type for a mutation with an idempotency key. */
  keyed(): string;
  /** Returns the function that creates a query from a stream. */
  streamedQuery(): string;
  /** Returns the declarations of the requested types. */
  aliases(): readonly Structure[];
}

/** Creates the names for the package of a framework. */
export function queryTypes(scope: HostScope, framework: string): QueryTypes {
  const { imports, locals } = scope;
  const type = (name: string): string =>
    imports.package(framework, name, "type");
  const runtime = (name: string): string =>
    imports.runtimeType("codegen/query", name);
  /** Returns the type of a key, with data and error for `getQueryData`. */
  const keyOf = (data: Doc): Doc =>
    genericOf(type("DataTag"), [
      runtime("QueryKey"),
      data,
      unionOf(["Failure", imports.runtimeType("client", "TransportError")]),
    ]);
  const declared = new Map<string, [name: string, Structure]>();
  const alias = (
    name: string,
    parameters: readonly string[],
    typeName: string,
    args: () => readonly Doc[],
  ): string => {
    const known = declared.get(name);
    if (known !== undefined) return known[0];
    const local = locals.claim(name);
    const aliased = genericOf(runtime(typeName), args());
    const declaration = {
      ...buildAlias([], local, aliased),
      isExported: false,
      typeParameters: [...parameters],
    };
    declared.set(name, [local, declaration]);
    return local;
  };
  const call = ["Request", "Response", "Failure"];
  return {
    call: () =>
      alias("CallQueries", call, "QueryMethod", () => [
        ...call,
        keyOf("Response"),
      ]),
    paged: () =>
      alias("PagedQueries", [...call, "Page"], "PagedQueryMethod", () => [
        ...call,
        keyOf("Response"),
        keyOf(
          genericOf(type("InfiniteData"), ["Response", "Page | undefined"]),
        ),
        "Page",
      ]),
    stream: () =>
      alias(
        "StreamQueries",
        ["Request", "Item", "Failure"],
        "StreamQueryMethod",
        () => [
          "Request",
          "Item",
          "Failure",
          keyOf("Item[]"),
          genericOf(type("QueryFunction"), ["Item[]"]),
        ],
      ),
    mutation: () => runtime("MutationMethod"),
    keyed: () => runtime("KeyedMutationMethod"),
    streamedQuery: () =>
      imports.package(framework, "experimental_streamedQuery"),
    aliases: () => [...declared.values()].map(([, declaration]) => declaration),
  };
}
