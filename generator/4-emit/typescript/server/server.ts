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
 * Writes `server.ts` for every host: a handler interface for each service,
 * options, a function that creates the server, and receivers of its webhooks.
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
 * Writes `webhooks.ts` for every host with outbound services: the part of
 * `server.ts` that receivers need, for client packages, which have no server.
 * It is not a target of its own.
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

/**
 * Emits the options, table and function of a server if it has inbound services.
 */
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

/**
 * Emits the options, table and function of a receiver of an outbound service.
 */
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

/** Emits the rows by method. */
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

/** Emits a function that creates a server or receiver. */
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
