import { createConfigurable } from "../../emitter/target.js";
import { hostScope, type HostScope } from "../plan/file-scope.js";
import { serviceTitle } from "../plan/method-docs.js";
import type { MethodPlan, PagingPlan, ServicePlan } from "../plan/plan.js";
import { callTypes, typeOf } from "../plan/type-text.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import {
  buildFunction,
  buildInterface,
  readonlyMember,
  type Member,
} from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { docLines } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteString } from "../text/quote.js";
import {
  arrayOf,
  callOf,
  callWithArrow,
  genericOf,
  linesObjectOf,
} from "../text/shapes.js";
import { queryTypes, type QueryTypes } from "./query-types.js";

const frameworks = [
  "core",
  "preact",
  "react",
  "solid",
  "svelte",
  "vue",
] as const;

/**
 * Frameworks that TanStack Query has a package for. `core` means no framework.
 */
type QueryFramework = (typeof frameworks)[number];

/** Writes `query.ts`: TanStack Query options for the methods of services. */
export const queryEmitter = createConfigurable(
  {
    schema: {
      description:
        "Framework to use with TanStack Query. `core` means none. Default: `react`.",
      enum: [...frameworks],
    },
    example: "vue",
  },
  "react",
  (framework: QueryFramework) =>
    createUnitEmitter({
      name: "query",
      summary: "TanStack Query options for each method.",
      guide: "query.md",
      needs: ["client"],
      packaged: {
        entry: "query",
        content: `options for TanStack Query; needs \`${queryPackage(framework)}\``,
        peers: { [queryPackage(framework)]: "^5.80.0" },
      },
      emitUnit(plan, unit) {
        const scope = hostScope(plan, unit, "query");
        if (scope === null) return [];
        const types = queryTypes(scope, queryPackage(framework));
        const services = scope.host.inbound.flatMap((service) =>
          emitService(scope, types, service),
        );
        return printFile(scope.imports, [...types.aliases(), ...services]);
      },
    }),
);

/** Returns the package of TanStack Query for a framework. */
function queryPackage(framework: QueryFramework): string {
  const name = framework === "core" ? "query-core" : `${framework}-query`;
  return `@tanstack/${name}`;
}

function emitService(
  scope: HostScope,
  types: QueryTypes,
  { methods, names, service }: ServicePlan,
): readonly Structure[] {
  const { imports, unit } = scope;
  const title = serviceTitle(service);
  const keyType = imports.runtimeType("codegen/query", "QueryKey");
  const client = imports.generatedType(unit, "client", names.client);
  const entries = methods.map((method) => emitEntry(scope, types, method));
  return [
    buildInterface(
      [`TanStack Query options for the methods of ${title}.`],
      names.queries,
      methods.map((method) => emitMember(scope, types, method)),
    ),
    buildFunction(
      [
        `Creates TanStack Query options for the methods of ${title}.`,
        "",
        "Every key begins with `prefix`. Use a different prefix for each server.",
      ],
      names.createQueries,
      [
        { name: "client", type: client },
        { name: "prefix", type: keyType, initializer: "[]" },
      ],
      names.queries,
      [
        [
          "const key = ",
          arrayOf(["...prefix", quoteString(service.name)]),
          ";",
        ],
        ["return ", linesObjectOf(entries), ";"],
      ],
    ),
  ];
}

function emitMember(
  scope: HostScope,
  types: QueryTypes,
  plan: MethodPlan,
): Member {
  const { method, names } = plan;
  const docs = docLines(method.docs, [], { deprecated: method.deprecated });
  const form = formOf(plan);
  const page =
    form.kind === "paged" ? [typeOf(scope.imports, form.asked.type)] : [];
  const args = [...callTypes(scope, plan), ...page];
  return readonlyMember(
    docs,
    names.property,
    genericOf(types[form.kind](), args),
  );
}

/** Prints `getOrder: queryMethod(client.getOrder, key, "getOrder")`. */
function emitEntry(
  { imports, unit }: HostScope,
  types: QueryTypes,
  plan: MethodPlan,
): Doc {
  const { property } = plan.names;
  const args = [`client.${property}`, "key", quoteString(property)];
  const form = formOf(plan);
  switch (form.kind) {
    case "call":
      return [
        `${property}: `,
        callOf(imports.runtime("codegen/query", "queryMethod"), args),
      ];
    case "upload":
      return [
        `${property}: `,
        callOf(imports.runtime("codegen/query", "mutationMethod"), args),
      ];
    case "paged": {
      const callee = imports.runtime("codegen/query", "pagedQueryMethod");
      const paging = imports.generated(unit, "client", form.constant);
      return [`${property}: `, callOf(callee, [...args, paging])];
    }
    case "stream": {
      const callee = imports.runtime("codegen/query", "streamQueryMethod");
      const body = `${types.streamedQuery()}({ streamFn })`;
      return [`${property}: `, callWithArrow(callee, args, "streamFn", body)];
    }
  }
}

/** The kind of queries that are generated for a method. */
type QueryForm =
  | { readonly kind: "call" | "stream" | "upload" }
  | ({ readonly kind: "paged" } & PagingPlan);

function formOf(plan: MethodPlan): QueryForm {
  if (plan.kind === "stream") return { kind: "stream" };
  const { fileLists, files } = plan.request;
  // A query key cannot identify the content of a file.
  if (files.length + fileLists.length > 0) return { kind: "upload" };
  const { paging } = plan;
  return paging === null ? { kind: "call" } : { kind: "paged", ...paging };
}
