import {
  hostScope,
  type HostScope,
  createScope,
  type FileScope,
} from "../plan/file-scope.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import {
  emitCredentialConstants,
  emitCredentialsFile,
  emitOptions,
} from "./client-credentials.js";
import { emitMethodConstants } from "./client-methods.js";
import {
  emitSenders,
  emitServiceClients,
  emitClient,
} from "./client-services.js";
import { printFile } from "../text/print.js";
import type { Structure } from "../text/structures.js";
import type { OutputFile } from "../../emitter/emitter.js";
import type { HostPlan, Plan, ServicePlan } from "../plan/plan.js";
import { readonlyMember, type Member } from "../text/build.js";
import { docLines, printDocs } from "../text/docs.js";
import { lines, type Doc } from "../text/format.js";
import { quoteAccess, quoteComment, quoteProperty } from "../text/quote.js";
import {
  entryOf,
  linesObjectOf,
  linesTypeOf,
  objectOf,
} from "../text/shapes.js";

/**
 * Writes `client.ts` for every host: a constant for each method, an interface
 * and a function for each service and for the host, and senders of webhooks.
 * With several hosts, it also writes a `client.ts` for all hosts at the root,
 * and the credentials that the hosts share.
 */
export const clientEmitter = createUnitEmitter({
  name: "client",
  summary:
    "A client for each service, a constant for each method, and senders for webhooks.",
  guide: "client.md",
  needs: ["errors", "codecs"],
  // Clients check the data and the bodies of errors.
  needsFor: ({ errors, hosts }) =>
    errors.some(({ data }) => data !== null) ||
    hosts.some(({ errorBody }) => errorBody !== null)
      ? ["validators"]
      : [],
  emitUnit(plan, unit) {
    const scope = hostScope(plan, unit, "client");
    return [
      ...(unit === plan.root ? emitPlatformClient(plan) : []),
      ...(unit === plan.root ? emitCredentialsFile(plan) : []),
      ...(scope ? printFile(scope.imports, hostStatements(scope)) : []),
    ];
  },
});

function hostStatements(scope: HostScope): readonly Structure[] {
  const isServing = scope.host.inbound.length > 0;
  return [
    ...(isServing ? emitHostOptions(scope) : []),
    ...emitCredentialConstants(scope),
    ...emitMethodConstants(scope),
    ...emitServiceClients(scope),
    ...(isServing ? emitHostClient(scope) : []),
    ...emitSenders(scope),
  ];
}

function serviceMember({ names, service }: ServicePlan, type: string): Member {
  return readonlyMember(docLines(service.docs), names.property, type);
}

function emitHostOptions({
  host: { host, inbound, names, parameters },
  ...scope
}: HostScope): readonly Structure[] {
  const title = quoteComment([host.name]).join("");
  return emitOptions(scope, {
    docs: [
      `Options for the clients of the host \`${title}\`.`,
      `Credentials for the methods of the host \`${title}\`.`,
    ],
    names,
    services: inbound,
    parameters,
    members: [],
    base: scope.imports.runtimeType("client", "ClientOptions"),
  });
}

function emitHostClient({
  host: { host, inbound, names },
}: HostScope): readonly Structure[] {
  const title = quoteComment([host.name]).join("");
  const about = docLines(host.docs);
  const entries = inbound.map(({ names: { createClient, property } }) =>
    entryOf(property, `${createClient}(options)`),
  );
  return emitClient({
    docs: [
      `Clients for all services of the host \`${title}\`.`,
      ...(about.length === 0 ? [] : ["", ...about]),
    ],
    createDocs: `Creates clients for all services of the host \`${title}\`.`,
    type: names.client,
    name: names.createClient,
    options: { name: "options", type: names.options },
    members: inbound.map((plan) => serviceMember(plan, plan.names.client)),
    body: [["return ", linesObjectOf(entries), ";"]],
  });
}

/** Emits `client.ts` at the root: one client for the services of all hosts. */
function emitPlatformClient(plan: Plan): readonly OutputFile[] {
  const hosts = plan.hosts.filter(({ inbound }) => inbound.length > 0);
  if (plan.hosts.length < 2 || hosts.length === 0) return [];
  const scope = createScope(plan, plan.root, "client");
  return printFile(scope.imports, [
    ...platformOptions(scope, hosts),
    ...platformClient(scope, hosts),
  ]);
}

function platformOptions(
  scope: FileScope,
  hosts: readonly HostPlan[],
): readonly Structure[] {
  const names = scope.plan.names.platform;
  const options = scope.imports.runtimeType("client", "ClientOptions");
  return emitOptions(scope, {
    docs: [
      `Options for {@link ${names.createClient}}.`,
      "Credentials for the methods of all hosts.",
    ],
    names,
    services: hosts.flatMap(({ inbound }) => inbound),
    parameters: [...new Set(hosts.flatMap(({ parameters }) => parameters))],
    members: [hostsMember(hosts)],
    base: `Omit<${options}, "baseUrl">`,
  });
}

/** Emits `hosts`, the base address of each host. */
function hostsMember(hosts: readonly HostPlan[]): Member {
  const members = hosts.map(({ host, key }): Doc => {
    const docs = printDocs(hostDocs(host)).split("\n").slice(0, -1);
    return lines([...docs, `readonly ${quoteProperty(key)}: string`]);
  });
  const docs = [
    "Base address of each host. Placeholders such as `{network}` are replaced",
    "with values from `parameters`.",
  ];
  return readonlyMember(docs, "hosts", linesTypeOf(members));
}

function hostDocs(host: HostPlan["host"]): readonly string[] {
  const named = quoteComment([`Host \`${host.name}\`.`]);
  const notes =
    host.baseUrl === null
      ? []
      : quoteComment([`Base address in the schema: \`${host.baseUrl}\`.`]);
  return docLines(host.docs, named, { notes });
}

function platformClient(
  { imports, plan }: FileScope,
  hosts: readonly HostPlan[],
): readonly Structure[] {
  const { client, createClient, options } = plan.names.platform;
  const address = imports.runtime("client", "address");
  const entries = hosts.flatMap(({ inbound, key, unit }) =>
    inbound.map(({ names: { createClient, property } }) => {
      const create = imports.generated(unit, "client", createClient);
      const baseUrl = `${address}(hosts${quoteAccess(key)})`;
      const options = objectOf(["...shared", entryOf("baseUrl", baseUrl)]);
      return [`${property}: ${create}(`, options, ")"];
    }),
  );
  return emitClient({
    docs: ["Clients for the services of all hosts."],
    type: client,
    members: hosts.flatMap(({ inbound, unit }) =>
      inbound.map((service) => {
        const { client } = service.names;
        const type = imports.generatedType(unit, "client", client);
        return serviceMember(service, type);
      }),
    ),
    createDocs: "Creates a single client for the services of all hosts.",
    name: createClient,
    options: { name: "options", type: options },
    body: [
      "const { hosts, ...shared } = options;",
      ["return ", linesObjectOf(entries), ";"],
    ],
  });
}
