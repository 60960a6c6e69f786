import { createUnitEmitter } from "../plan/unit-emitter.js";
import { serviceTitle } from "../plan/method-docs.js";
import type { ServicePlan } from "../plan/plan.js";
import {
  buildFunction,
  buildLocal,
  buildInterface,
  readonlyMember,
  type Member,
} from "../text/build.js";
import type { Parameter, Structure } from "../text/structures.js";
import { typeText, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import {
  callOf,
  intersectionOf,
  linesObjectOf,
  linesTypeOf,
} from "../text/shapes.js";
import {
  emitHandler,
  serverScope,
  type ServerScope,
} from "./server-handlers.js";
import {
  emitCredentialRules,
  emitErrorData,
  emitMethodTable,
  emitRow,
  emitSkew,
} from "./server-table.js";
import { namesEvents } from "../../../http/wire-of.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { isBasic, neededCredentials } from "../../../ir/credentials-of.js";
import { placeTitles } from "../../../http/credentials.js";
import { docLines } from "../text/docs.js";

/**
 * Writes `server.ts` for every host: a handler interface for each service,
 * options, a function that creates the server, and receivers of its webhooks.
 */
export const serverEmitter = createUnitEmitter({
  name: "server",
  summary:
    "A function that creates a server from your handlers, and functions that create webhook receivers.",
  guide: "server.md",
  needs: ["errors", "validators", "codecs"],
  emitUnit(plan, unit) {
    const scope = serverScope(plan, unit, "server");
    if (scope === null) return [];
    const { handled, outbound } = scope.host;
    return printFile(scope.imports, [
      ...handled.map((service) => emitHandler(scope, service)),
      ...emitCredentialRules(scope),
      ...emitErrorData(scope),
      ...emitServer(scope),
      ...outbound.flatMap((service) => emitReceiver(scope, service)),
    ]);
  },
});

/**
 * Writes `webhooks.ts`: the part of `server.ts` that receivers need, for client
 * packages, which have no server.
 */
export const webhooksEmitter = createUnitEmitter({
  name: "webhooks",
  emitUnit(plan, unit) {
    const scope = serverScope(plan, unit, "webhooks");
    if (scope === null) return [];
    const { outbound } = scope.host;
    const statements = outbound.flatMap((service) => [
      emitHandler(scope, service),
      ...emitReceiver(scope, service),
    ]);
    const data = outbound.length === 0 ? [] : emitErrorData(scope);
    return printFile(scope.imports, [...data, ...statements]);
  },
});

/**
 * Emits the options, method table and function of a server, if there are
 * services to serve.
 */
function emitServer(scope: ServerScope): readonly Structure[] {
  const { host, names, served } = scope.host;
  if (served.length === 0) return [];
  const { createServer, serverOptions } = names;
  const title = quoteComment([host.name]).join("");
  const table = scope.locals.claim("methods");
  const create = scope.imports.runtime("codegen/create-server", "createServer");
  return [
    emitServerOptions(
      scope,
      serverOptions,
      [`Options for {@link ${createServer}}.`],
      served,
    ),
    ...emitSkew(scope),
    emitMethodTable(scope, table, served),
    createFunction(
      scope,
      [`Creates the server for the host \`${title}\`.`],
      createServer,
      serverOptions,
      [],
      callOf(create, ["options", `Object.values(${table})`]),
      requiredByKeys(scope, served),
    ),
  ];
}

/** Returns the types of the options that methods with keys require. */
function requiredByKeys(
  { imports, state }: ServerScope,
  served: readonly ServicePlan[],
): readonly string[] {
  const keyed = methodsOf(served.map(({ service }) => service)).filter(
    ({ idempotencyKey }) => idempotencyKey !== "none",
  );
  if (keyed.length === 0) return [];
  const typeOf = (name: string): string =>
    imports.runtimeType("codegen/create-server", name);
  const hasCallers = keyed.some(({ credentials }) => credentials.length > 0);
  return [
    typeOf("RequiredIdempotency"),
    ...(hasCallers ? [`${typeOf("RequiredCaller")}<${state}>`] : []),
  ];
}

/** Emits the options, method table and function of a receiver. */
function emitReceiver(
  scope: ServerScope,
  plan: ServicePlan,
): readonly Structure[] {
  const { names, service } = plan;
  const table = scope.locals.claim(`${names.property}Methods`);
  const isAlone = !namesEvents(service);
  const create = scope.imports.runtime("codegen/receiver", "createReceiver");
  const type = `keyof ${names.handler}`;
  const method = { name: "method", type, hasQuestionToken: true };
  return [
    emitServerOptions(
      scope,
      names.receiverOptions,
      [`Options for {@link ${names.createReceiver}}.`],
      [plan],
    ),
    emitMethodRecord(scope, table, plan),
    createFunction(
      scope,
      [
        `Creates a receiver for ${serviceTitle(service)} that accepts any path.`,
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

function createFunction(
  { imports, state, typeParameter }: ServerScope,
  docs: readonly string[],
  name: string,
  optionsName: string,
  parameters: readonly Parameter[],
  call: Doc,
  alsoRequired: readonly string[] = [],
): Structure {
  const server = imports.runtimeType("server", "RpcServer");
  const required = imports.runtimeType(
    "codegen/create-server",
    "RequiredState",
  );
  const type = intersectionOf([
    `${optionsName}<${state}>`,
    `${required}<${state}>`,
    ...alsoRequired,
  ]);
  const options = { name: "options", type };
  const all = [options, ...parameters];
  const body = [["return ", call, ";"]];
  const made = buildFunction(docs, name, all, server, body);
  return { ...made, typeParameters: [typeParameter] };
}

function emitServerOptions(
  scope: ServerScope,
  name: string,
  docs: readonly string[],
  services: readonly ServicePlan[],
): Structure {
  const { imports } = scope;
  const isServer = services.some(
    ({ service }) => service.direction === "inbound",
  );
  const options = isServer
    ? imports.runtimeType("server", "ServerOptions")
    : imports.runtimeType("codegen/receiver", "ReceiverOptions");
  const extended = `${options}<${scope.state}>`;
  const members = [
    handlersMember(scope, services),
    ...verifierMembers(scope, services),
    methodsMember(scope, services),
    ...(isServer ? acceptMember(scope) : []),
  ];
  const typeParameters = [scope.typeParameter];
  return buildInterface(docs, name, members, [extended], typeParameters);
}

function handlersMember(
  { state }: ServerScope,
  services: readonly ServicePlan[],
): Member {
  const handlers = services.map(
    ({ names: { handler, property } }) =>
      `readonly ${property}: ${handler}<${state}>`,
  );
  const docs = ["The handler of each service."];
  return readonlyMember(docs, "handlers", linesTypeOf(handlers));
}

/** Emits `methods`, with a key for each method. */
function methodsMember(
  { imports }: ServerScope,
  services: readonly ServicePlan[],
): Member {
  const options = imports.runtimeType("server", "MethodOptions");
  const members = services.flatMap(({ service }) =>
    service.methods.map(({ name }) => {
      const key = quoteString(`${service.name}/${name}`);
      return `readonly ${key}?: ${options}`;
    }),
  );
  const docs = ["Options for individual methods."];
  return readonlyMember(docs, "methods", linesTypeOf(members), true);
}

function verifierMembers(
  { imports, plan, state }: ServerScope,
  services: readonly ServicePlan[],
): readonly Member[] {
  const methods = methodsOf(services.map(({ service }) => service));
  return neededCredentials(methods, plan).map((credential) => {
    const { docs, error, names, parameter, place } = credential;
    const where = `${placeTitles[place]} \`${parameter}\``;
    const notes = isBasic(credential)
      ? [
          `Verifies the user name and the password in the ${where}.`,
          `Rejected and malformed values result in \`${error}\`.`,
        ]
      : [
          `Verifies the value of the ${where}. Rejected values result in`,
          `\`${error}\`.`,
        ];
    const text = docLines(docs, [], { notes: quoteComment(notes) });
    const type = imports.runtimeType("server", "Verify");
    const login = isBasic(credential)
      ? [imports.runtimeType("server", "BasicLogin")]
      : [];
    const parameters = [state, ...login].join(", ");
    return readonlyMember(text, names.verify, `${type}<${parameters}>`);
  });
}

/** Emits `acceptParameters` if the base path has parameters. */
function acceptMember({ host }: ServerScope): readonly Member[] {
  const names = host.parameters;
  if (names.length === 0) return [];
  const members = names.map(
    (name) => `readonly ${quoteProperty(name)}: string`,
  );
  const list = names.map((name) => `\`{${name}}\``).join(", ");
  const docs = quoteComment([
    `Whether to accept these values of ${list}. Rejected values result in`,
    "`WebrpcBadRoute`. By default, all values are accepted.",
  ]);
  const type = [
    "(parameters: ",
    linesTypeOf(members),
    ") => boolean | Promise<boolean>",
  ];
  return [readonlyMember(docs, "acceptParameters", type, true)];
}
