import { createUnitEmitter } from "../plan/unit-emitter.js";
import { serviceTitle } from "../plan/method-docs.js";
import type { ServicePlan } from "../plan/plan.js";
import { buildFunction, buildLocal } from "../text/build.js";
import type { Parameter, Structure } from "../text/structures.js";
import { typeText, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteComment } from "../text/quote.js";
import { callOf, linesObjectOf } from "../text/shapes.js";
import { emitServerOptions } from "./server-options.js";
import {
  emitHandler,
  serverScope,
  type ServerScope,
} from "./server-handlers.js";
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

/**
 * `webhooks.ts` of every host that calls others: of `server.ts` what receivers
 * need, for packages of clients, which have no server. Not a target of its own.
 */
export const webhooksEmitter = createUnitEmitter({
  name: "webhooks",
  emitUnit(plan, unit) {
    const scope = serverScope(plan, unit, "webhooks");
    if (scope === null) return [];
    const statements = scope.host.outbound.flatMap((service) => [
      emitHandler(scope, service),
      ...emitReceiver(scope, service),
    ]);
    return printFile(scope.imports, statements);
  },
});

/** Options, table and function of the host's server, when it answers at all. */
function emitServer(scope: ServerScope): readonly Structure[] {
  const { host, inbound, names } = scope.host;
  if (inbound.length === 0) return [];
  const { createServer, serverOptions } = names;
  const title = quoteComment([host.name]).join("");
  const table = scope.locals.claim("methods");
  const create = scope.imports.runtime("server", "createServer");
  return [
    emitServerOptions(
      scope,
      serverOptions,
      [`Options of {@link ${createServer}}.`],
      inbound,
    ),
    emitMethodTable(scope, table, inbound),
    createFunction(
      scope,
      [`Creates the server of host \`${title}\`.`],
      createServer,
      serverOptions,
      [],
      callOf(create, ["options", `Object.values(${table})`]),
    ),
  ];
}

/** Options, table and function of a receiver of one outbound service. */
function emitReceiver(
  scope: ServerScope,
  plan: ServicePlan,
): readonly Structure[] {
  const { methods, names, service } = plan;
  const table = scope.locals.claim(`${names.property}Methods`);
  const isAlone = methods.length === 1;
  const create = scope.imports.runtime("receiver", "createReceiver");
  const type = `keyof ${names.handler}`;
  const method = { name: "method", type, hasQuestionToken: true };
  return [
    emitServerOptions(
      scope,
      names.receiverOptions,
      [`Options of {@link ${names.createReceiver}}.`],
      [plan],
    ),
    emitMethodRecord(scope, table, plan),
    createFunction(
      scope,
      [
        `Creates a receiver for ${serviceTitle(service)}, at any path.`,
        ...(isAlone
          ? []
          : [
              "If `method` is not given, the header `webhook-event` names the",
              "method.",
            ]),
      ],
      names.createReceiver,
      names.receiverOptions,
      isAlone ? [] : [method],
      callOf(create, ["options", table, ...(isAlone ? [] : ["method"])]),
    ),
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

/** The function that makes a server or receiver by one of the runtime. */
function createFunction(
  { imports, state, typeParameter }: ServerScope,
  docs: readonly string[],
  name: string,
  optionsName: string,
  parameters: readonly Parameter[],
  call: Doc,
): Structure {
  const server = imports.runtimeType("server", "RpcServer");
  const options = { name: "options", type: `${optionsName}<${state}>` };
  const all = [options, ...parameters];
  const body = [["return ", call, ";"]];
  const made = buildFunction(docs, name, all, server, body);
  return { ...made, typeParameters: [typeParameter] };
}
