import type { Service } from "../../ir/contract.js";
import type { Emitter } from "../emitter.js";
import { buildText, type Statement } from "./build.js";
import { serviceTitle } from "./call-docs.js";
import { exportedFunction } from "./call-function.js";
import { inboundServices, outboundServices } from "./call-scope.js";
import type { Doc } from "./format.js";
import { printFile } from "./print.js";
import { quoteComment } from "./quote.js";
import { emitHandler } from "./server-handlers.js";
import { emitServerOptions } from "./server-options.js";
import { serverScopes, type ServerScope } from "./server-scope.js";
import {
  emitCredentialRules,
  emitMethodTable,
  emitRow,
} from "./server-table.js";
import { linesObjectOf } from "./shapes.js";

/**
 * `server.ts` of every host: a handler interface for each service, options, and
 * a function that makes the server; the same for receivers of its webhooks.
 */
export const serverEmitter: Emitter = {
  name: "server",
  emit(contract, options) {
    return serverScopes(contract, options, "server").flatMap((scope) => {
      const statements = [
        ...scope.host.services.map((service) => emitHandler(scope, service)),
        ...emitCredentialRules(scope),
        ...emitServer(scope),
        ...outboundServices(scope.host).flatMap((service) =>
          emitReceiver(scope, service),
        ),
      ];
      return printFile(scope.unit, "server", scope.imports, statements) ?? [];
    });
  },
};

/** Options, table and function of the host's server, when it answers at all. */
function emitServer(scope: ServerScope): readonly Statement[] {
  const services = inboundServices(scope.host);
  if (services.length === 0) return [];
  const { createServer, serverOptions } = scope.layout.names.host(scope.host);
  const title = quoteComment([scope.host.name]).join("");
  const table = scope.locals.claim("methods");
  return [
    emitServerOptions(
      scope,
      serverOptions,
      [`Options of {@link ${createServer}}.`],
      services,
    ),
    emitMethodTable(scope, table, services),
    createFunction(scope, {
      docs: [`Creates the server of host \`${title}\`.`],
      name: createServer,
      options: serverOptions,
      parameters: [],
      table,
    }),
  ];
}

/** Options, table and function of a receiver of one outbound service. */
export function emitReceiver(
  scope: ServerScope,
  service: Service,
): readonly Statement[] {
  const names = scope.layout.names.service(service);
  const table = scope.locals.claim(`${names.property}Methods`);
  const isAlone = service.methods.length === 1;
  return [
    emitServerOptions(
      scope,
      names.receiverOptions,
      [`Options of {@link ${names.createReceiver}}.`],
      [service],
    ),
    isAlone
      ? emitMethodTable(scope, table, [service])
      : emitMethodRecord(scope, table, service),
    createFunction(scope, {
      docs: isAlone
        ? [`Receives what ${serviceTitle(service)} sends, at any path.`]
        : [
            `Receives one method of ${serviceTitle(service)}, at any path; make one`,
            "receiver for each address.",
          ],
      name: names.createReceiver,
      options: names.receiverOptions,
      parameters: isAlone ? [] : [`method: keyof typeof ${table}`],
      table: isAlone ? table : `[${table}[method]]`,
    }),
  ];
}

/** The rows by method, where each has an address of its own. */
function emitMethodRecord(
  scope: ServerScope,
  name: string,
  service: Service,
): Statement {
  const type = scope.imports.runtimeType("server", "ServerMethod");
  const entries = service.methods.map((method): Doc => {
    const { property } = scope.layout.names.method(method);
    return [`${property}: `, emitRow(scope, service, method)];
  });
  return buildText(
    [],
    [
      `const ${name} = `,
      linesObjectOf(entries),
      ` satisfies Record<string, ${type}>;`,
    ],
  );
}

interface CreateFunction {
  readonly docs: readonly string[];
  readonly name: string;
  readonly options: string;
  /** Parameters besides `options`. */
  readonly parameters: readonly string[];
  /** Expression of the method table. */
  readonly table: string;
}

function createFunction(scope: ServerScope, parts: CreateFunction): Statement {
  const create = scope.imports.runtime("server", "createServer");
  const server = scope.imports.runtimeType("server", "RpcServer");
  return exportedFunction(
    parts.docs,
    `${parts.name}<${scope.state} = undefined>`,
    [`options: ${parts.options}<${scope.state}>`, ...parts.parameters],
    server,
    [`return ${create}(options, ${parts.table});`],
  );
}
