import { createUnitEmitter } from "../plan/unit-emitter.js";
import { serviceTitle } from "../plan/method-docs.js";
import type { ServicePlan } from "../plan/plan.js";
import { buildFunction, buildLocal } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { typeText, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteComment } from "../text/quote.js";
import { callOf, linesObjectOf } from "../text/shapes.js";
import type { Parameter } from "../text/structures.js";
import { emitHandler } from "./server-handlers.js";
import { emitServerOptions } from "./server-options.js";
import { serverScope, type ServerScope } from "./server-scope.js";
import {
  emitCredentialRules,
  emitMethodTable,
  emitRow,
} from "./server-table.js";

/**
 * `server.ts` of every host: a handler interface for each service, options, and
 * a function that makes the server; the same for receivers of its webhooks.
 */
export const serverEmitter = createUnitEmitter({
  name: "server",
  needs: ["errors", "validators", "codecs"],
  emitUnit(plan, unit) {
    const scope = serverScope(plan, unit, "server");
    if (scope === null) return [];
    const { outbound, services } = scope.host;
    return printFile(scope.imports, [
      ...services.map((service) => emitHandler(scope, service)),
      ...emitCredentialRules(scope),
      ...emitServer(scope),
      ...outbound.flatMap((service) => emitReceiver(scope, service)),
    ]);
  },
});

/** Options, table and function of the host's server, when it answers at all. */
function emitServer(scope: ServerScope): readonly Structure[] {
  const { host, inbound, names } = scope.host;
  if (inbound.length === 0) return [];
  const { createServer, serverOptions } = names;
  const title = quoteComment([host.name]).join("");
  const table = scope.locals.claim("methods");
  return [
    emitServerOptions(
      scope,
      serverOptions,
      [`Options of {@link ${createServer}}.`],
      inbound,
    ),
    emitMethodTable(scope, table, inbound),
    createFunction(scope, {
      docs: [`Creates the server of host \`${title}\`.`],
      name: createServer,
      options: serverOptions,
      parameters: [],
      create: scope.imports.runtime("server", "createServer"),
      arguments: [`Object.values(${table})`],
    }),
  ];
}

/** Options, table and function of a receiver of one outbound service. */
export function emitReceiver(
  scope: ServerScope,
  plan: ServicePlan,
): readonly Structure[] {
  const { methods, names, service } = plan;
  const table = scope.locals.claim(`${names.property}Methods`);
  const isAlone = methods.length === 1;
  return [
    emitServerOptions(
      scope,
      names.receiverOptions,
      [`Options of {@link ${names.createReceiver}}.`],
      [plan],
    ),
    emitMethodRecord(scope, table, plan),
    createFunction(scope, {
      docs: [
        `Receives what ${serviceTitle(service)} sends, at any path.`,
        ...(isAlone
          ? []
          : [
              "Unless one `method` is given, the header `webhook-event` says which",
              "is meant.",
            ]),
      ],
      name: names.createReceiver,
      options: names.receiverOptions,
      parameters: isAlone
        ? []
        : [
            {
              name: "method",
              type: `keyof ${names.handler}`,
              hasQuestionToken: true,
            },
          ],
      create: scope.imports.runtime("receiver", "createReceiver"),
      arguments: isAlone ? [table] : [table, "method"],
    }),
  ];
}

/** The rows by method. */
function emitMethodRecord(
  scope: ServerScope,
  name: string,
  service: ServicePlan,
): Structure {
  const { imports } = scope;
  const type = imports.runtime("server", "ServerMethod", "inner");
  const entries = service.methods.map((method): Doc => [
    `${method.names.property}: `,
    emitRow(scope, service, method),
  ]);
  return buildLocal(name, [
    linesObjectOf(entries),
    typeText(` satisfies Record<string, ${type}>`),
  ]);
}

interface CreateFunction {
  readonly docs: readonly string[];
  readonly name: string;
  readonly options: string;
  /** Parameters besides `options`. */
  readonly parameters: readonly Parameter[];
  /** Local name of the runtime's function that does it. */
  readonly create: string;
  /** Its arguments besides `options`. */
  readonly arguments: readonly string[];
}

function createFunction(scope: ServerScope, parts: CreateFunction): Structure {
  const server = scope.imports.runtimeType("server", "RpcServer");
  const call = callOf(parts.create, ["options", ...parts.arguments]);
  const options = {
    name: "options",
    type: `${parts.options}<${scope.state}>`,
  };
  const made = buildFunction(
    parts.docs,
    parts.name,
    [options, ...parts.parameters],
    server,
    [["return ", call, ";"]],
  );
  return { ...made, typeParameters: [scope.typeParameter] };
}
