import type { HostScope } from "../plan/file-scope.js";
import { buildAlias } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { genericOf, unionOf } from "../text/shapes.js";
import type { Doc } from "../text/format.js";

/** Local names of what a file needs of TanStack Query; asked for, it is there. */
export interface QueryTypes {
  /** Type of a method's queries and mutations. */
  call(): string;
  /** The same for one that answers page by page. */
  paged(): string;
  /** The same for one that streams. */
  stream(): string;
  /** The same for one that sends files, and has mutations alone. */
  upload(): string;
  /** The function that makes a query of a stream. */
  streamedQuery(): string;
  /** The declarations of the types that were asked for. */
  aliases(): readonly Structure[];
}

/** What is needed of TanStack Query's package for a framework. */
export function queryTypes(scope: HostScope, framework: string): QueryTypes {
  const { imports, locals } = scope;
  const type = (name: string): string =>
    imports.package(framework, name, "type");
  const runtime = (name: string): string => imports.runtimeType("query", name);
  /** A key that knows the types of data and error, for `getQueryData`. */
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
          "Failure",
          keyOf("Item[]"),
          genericOf(type("QueryFunction"), ["Item[]"]),
        ],
      ),
    upload: () => runtime("MutationMethod"),
    streamedQuery: () =>
      imports.package(framework, "experimental_streamedQuery"),
    aliases: () => [...declared.values()].map(([, declaration]) => declaration),
  };
}
