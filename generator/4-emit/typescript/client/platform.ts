import type { Contract, Host } from "../../../ir/contract.js";
import type { EmitOptions, OutputFile } from "../../emitter.js";
import {
  buildFunction,
  buildInterface,
  readonlyMember,
  type Member,
} from "../text/build.js";
import {
  basePathParameters,
  createScope,
  credentialsOf,
  inboundServices,
  type CallScope,
} from "../calls/call-scope.js";
import { camelCase } from "../names/casing.js";
import {
  credentialsMember,
  emitCredentials,
  parametersMember,
} from "./client-credentials.js";
import { docLines, printDocs } from "../text/docs.js";
import { hardLine, indent, type Doc } from "../text/format.js";
import { createLayout } from "../names/layout.js";
import { NamePool } from "../names/name-pool.js";
import { printFile } from "../text/print.js";
import { quoteAccess, quoteComment, quoteProperty } from "../text/quote.js";
import { objectMembers } from "../names/reserved.js";
import { entryOf, linesObjectOf, objectOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/** A host that answers, with its key in `hosts` of the platform's options. */
export interface KeyedHost {
  readonly host: Host;
  readonly key: string;
}

/**
 * `client.ts` at the root: one client for the services of all hosts.
 *
 * Output: none when there is one host only, or none that answers.
 */
export function emitPlatformClient(
  contract: Contract,
  options: EmitOptions,
): readonly OutputFile[] {
  const layout = createLayout(contract, options);
  const hosts = keyedHosts(contract);
  if (contract.hosts.length < 2 || hosts.length === 0) return [];
  const scope = createScope(layout, layout.root, "client");
  const statements = [
    ...platformOptions(scope, hosts),
    platformInterface(scope, hosts),
    platformFunction(scope, hosts),
  ];
  return printFile(scope.imports, statements);
}

/** The hosts that answer. */
export function keyedHosts(contract: Contract): readonly KeyedHost[] {
  const pool = new NamePool(objectMembers);
  return contract.hosts
    .filter((host) => inboundServices(host).length > 0)
    .map((host) => {
      const key = camelCase(host.name) || "host";
      return { host, key: pool.claim(key, `${key}_`) };
    });
}

function platformOptions(
  scope: CallScope,
  hosts: readonly KeyedHost[],
): readonly Declared[] {
  const { imports, layout } = scope;
  const { contract, names } = layout;
  const methods = hosts.flatMap(({ host }) =>
    inboundServices(host).flatMap((service) => service.methods),
  );
  const credentials = credentialsOf(contract, methods);
  const parameters = hosts.flatMap(({ host }) => basePathParameters(host));
  const clientOptions = imports.runtimeType("client", "ClientOptions");
  const options = buildInterface(
    imports,
    [`Options of {@link ${names.platform.createClient}}.`],
    names.platform.options,
    [
      hostsMember(hosts),
      ...credentialsMember(credentials, names.platform.credentials),
      ...parametersMember([...new Set(parameters)]),
    ],
    [`Omit<${clientOptions}, "baseUrl">`],
  );
  if (credentials.length === 0) return [options];
  const docs = ["Credentials that methods of the platform need."];
  return [
    emitCredentials(scope, docs, names.platform.credentials, credentials),
    options,
  ];
}

/** `hosts`: the base address of each. */
function hostsMember(hosts: readonly KeyedHost[]): Member {
  const members = hosts.map(({ host, key }): Doc => {
    const docs = printDocs(hostDocs(host)).split("\n").slice(0, -1);
    const lines = docs.map((text) => [hardLine, text]);
    return [lines, hardLine, `readonly ${quoteProperty(key)}: string;`];
  });
  const docs = [
    "Base address of each host. Placeholders such as `{network}` are filled",
    "from `parameters`.",
  ];
  return readonlyMember(docs, "hosts", ["{", indent(members), hardLine, "}"]);
}

function hostDocs(host: Host): readonly string[] {
  const named = quoteComment([`Host \`${host.name}\`.`]);
  const notes =
    host.baseUrl === null
      ? []
      : quoteComment([`In the schema: \`${host.baseUrl}\`.`]);
  return docLines(host.docs, named, { notes });
}

function platformInterface(
  scope: CallScope,
  hosts: readonly KeyedHost[],
): Declared {
  const { layout, imports } = scope;
  const members = hosts.flatMap(({ host }) =>
    inboundServices(host).map((service) => {
      const { client, property } = layout.names.service(service);
      const unit = layout.unitOfHost(host);
      const type = imports.generatedType(unit, "client", client);
      return readonlyMember(docLines(service.docs), property, type);
    }),
  );
  const docs = ["All services of all hosts."];
  return buildInterface(imports, docs, layout.names.platform.client, members);
}

function platformFunction(
  scope: CallScope,
  hosts: readonly KeyedHost[],
): Declared {
  const { layout, imports } = scope;
  const entries = hosts.flatMap(({ host, key }) =>
    inboundServices(host).map((service) => {
      const { createClient, property } = layout.names.service(service);
      const unit = layout.unitOfHost(host);
      const create = imports.generated(unit, "client", createClient);
      const address = imports.runtime("client", "address");
      const template = `${address}(hosts${quoteAccess(key)})`;
      const baseUrl = entryOf("baseUrl", template);
      return [`${property}: ${create}(`, objectOf(["...shared", baseUrl]), ")"];
    }),
  );
  const { client, createClient, options } = layout.names.platform;
  return buildFunction(
    imports,
    ["Creates one client for the services of all hosts."],
    createClient,
    [{ name: "options", type: options }],
    client,
    [
      "const { hosts, ...shared } = options;",
      ["return ", linesObjectOf(entries), ";"],
    ],
  );
}
