import type { Contract, Method } from "../../../ir/contract.js";
import { createConfigurable, type TargetFault } from "../../emitter/target.js";
import { hostScope, type HostScope } from "../plan/file-scope.js";
import { serviceTitle } from "../plan/method-docs.js";
import type {
  MethodPlan,
  PagingPlan,
  Plan,
  ServicePlan,
  UnitPlan,
} from "../plan/plan.js";
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
import { wireOf } from "../../../http/wire-of.js";

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

/** Which methods have queries. */
type QueryChoice = "reads" | "all";

/** The setting: the framework, or an object with all options. */
type QuerySetting =
  | QueryFramework
  | { readonly framework?: QueryFramework; readonly queries?: QueryChoice };

/** Writes `query.ts`: TanStack Query options for the methods of services. */
export const queryEmitter = createConfigurable(
  {
    schema: {
      description:
        "Framework to use with TanStack Query, or a mapping. `core` means none. Default: `react`.",
      if: { type: "object" },
      then: {
        type: "object",
        additionalProperties: false,
        properties: {
          framework: {
            description: "Framework to use. Default: `react`.",
            enum: [...frameworks],
            examples: ["vue"],
          },
          queries: {
            description:
              "Which methods have queries. `reads`: those with `@readonly` and those called with GET. `all`: also methods without annotations, whose calls are then repeated. Default: `reads`, with a warning if no method has queries.",
            enum: ["reads", "all"],
            examples: ["all"],
          },
        },
      },
      else: { enum: [...frameworks] },
    },
    example: "vue",
  },
  "react",
  (setting: QuerySetting) => {
    const own = typeof setting === "string" ? { framework: setting } : setting;
    const { framework = "react", queries } = own;
    const name = queryPackage(framework);
    return createUnitEmitter({
      name: "query",
      summary: "TanStack Query options for each method.",
      guide: "query.md",
      needs: ["client"],
      packaged: {
        entry: "query",
        content: `options for TanStack Query; needs \`${name}\``,
        peers: { [name]: peerRange(framework) },
      },
      findFaults: (contract: Contract) => findUnmarked(contract, queries),
      emitUnit(plan: Plan, unit: UnitPlan) {
        const scope = hostScope(plan, unit, "query");
        if (scope === null) return [];
        const types = queryTypes(scope, name);
        const services = scope.host.inbound.flatMap((service) =>
          emitService(scope, types, service, queries ?? "reads"),
        );
        if (services.length === 0) return [];
        return printFile(scope.imports, [...types.aliases(), ...services]);
      },
    });
  },
);

/**
 * Returns the versions of TanStack Query that generated code supports. Since
 * 5.89, mutations know their client.
 */
function peerRange(framework: QueryFramework): string {
  return framework === "svelte" ? "^5.89.0 || ^6.0.0" : "^5.89.0";
}

/** Returns the package of TanStack Query for a framework. */
function queryPackage(framework: QueryFramework): string {
  const name = framework === "core" ? "query-core" : `${framework}-query`;
  return `@tanstack/${name}`;
}

function emitService(
  scope: HostScope,
  types: QueryTypes,
  { methods, names, service }: ServicePlan,
  choice: QueryChoice,
): readonly Structure[] {
  const { imports, unit } = scope;
  const title = serviceTitle(service);
  const keyType = imports.runtimeType("codegen/query", "QueryKey");
  const client = imports.generatedType(unit, "client", names.client);
  const usable = methods.flatMap((method) => {
    const form = formOf(method, choice);
    return form === null ? [] : [{ method, form }];
  });
  if (usable.length === 0) return [];
  const entries = usable.map(({ method, form }) =>
    emitEntry(scope, types, method, form),
  );
  return [
    buildInterface(
      [`TanStack Query options for the methods of ${title}.`],
      names.queries,
      usable.map(({ method, form }) => emitMember(scope, types, method, form)),
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
  form: QueryForm,
): Member {
  const { method, names } = plan;
  const docs = docLines(method.docs, [], { deprecated: method.deprecated });
  const page =
    form.kind === "paged" ? [typeOf(scope.imports, form.asked.type)] : [];
  const args = [...callTypes(scope, plan), ...page];
  return readonlyMember(
    docs,
    names.property,
    genericOf(types[form.kind](), args),
  );
}

/** The functions of the runtime that create queries and mutations. */
const creators = {
  call: "queryMethod",
  mutation: "mutationMethod",
  keyed: "keyedMutationMethod",
  paged: "pagedQueryMethod",
  stream: "streamQueryMethod",
} as const;

/** Prints `getOrder: queryMethod(client.getOrder, key, "getOrder")`. */
function emitEntry(
  { imports, unit }: HostScope,
  types: QueryTypes,
  plan: MethodPlan,
  form: QueryForm,
): Doc {
  const { property } = plan.names;
  const callee = imports.runtime("codegen/query", creators[form.kind]);
  const args = [`client.${property}`, "key", quoteString(property)];
  switch (form.kind) {
    case "stream": {
      const body = `${types.streamedQuery()}({ streamFn })`;
      return [`${property}: `, callWithArrow(callee, args, "streamFn", body)];
    }
    case "paged": {
      const paging = imports.generated(unit, "client", form.constant);
      return [`${property}: `, callOf(callee, [...args, paging])];
    }
    case "call":
    case "keyed":
    case "mutation":
      return [`${property}: `, callOf(callee, args)];
  }
}

/** The kind of queries and mutations that are generated for a method. */
type QueryForm =
  | { readonly kind: "call" | "stream" | "mutation" | "keyed" }
  | ({ readonly kind: "paged" } & PagingPlan);

/** Returns null for a stream without queries. */
function formOf(plan: MethodPlan, choice: QueryChoice): QueryForm | null {
  const { method, paging } = plan;
  const hasQuery = isRead(method) || (choice === "all" && isUnmarked(method));
  if (plan.kind === "stream") return hasQuery ? { kind: "stream" } : null;
  if (method.idempotencyKey !== "none") return { kind: "keyed" };
  const { fileLists, files } = plan.request;
  // A query key cannot identify the content of a file, and a file in the cache
  // could be read only once.
  const hasFiles = [fileLists, files, plan.response.files].some(
    ({ length }) => length > 0,
  );
  if (!hasQuery || hasFiles) return { kind: "mutation" };
  return paging === null ? { kind: "call" } : { kind: "paged", ...paging };
}

/** Whether TanStack Query may call a method at any time, any number of times. */
function isRead(method: Method): boolean {
  return method.safety === "readonly" || wireOf(method).address?.verb === "GET";
}

/** Whether a method does not say what a repeated call does. */
function isUnmarked(method: Method): boolean {
  return (
    !isRead(method) &&
    method.safety === "none" &&
    method.idempotencyKey === "none"
  );
}

/**
 * Finds methods that have queries without being marked as reads and, without
 * the setting, contracts in which no method is marked.
 */
function findUnmarked(
  { hosts }: Contract,
  choice: QueryChoice | undefined,
): readonly TargetFault[] {
  // The setting says that the methods only write.
  if (choice === "reads") return [];
  const methods = hosts.flatMap(({ services }) =>
    services.flatMap((service) =>
      service.methods
        .filter(({ route }) => route.kind !== "webhook")
        .map((method) => ({ method, name: `${service.name}.${method.name}` })),
    ),
  );
  const unmarked = methods.filter(({ method }) => isUnmarked(method));
  if (unmarked.length === 0) return [];
  const all = choice === "all";
  if (!all && methods.some(({ method }) => isRead(method))) return [];
  const names = unmarked.map(({ name }) => `\`${name}\``).join(", ");
  return [
    {
      code: "unmarked-queries",
      severity: "warning",
      key: all ? "queries" : null,
      message: all
        ? "queries call methods that are not marked `@readonly`, again and again"
        : "no method has a query, because none is marked `@readonly` or called with GET",
      notes: [`the methods without marks: ${names}`],
      help: all
        ? "mark the methods that only read with `@readonly`, and remove `queries: all`"
        : "mark the methods that only read with `@readonly`, or set `query: { queries: all }`; if all methods write, set `query: { queries: reads }`",
    },
  ];
}
