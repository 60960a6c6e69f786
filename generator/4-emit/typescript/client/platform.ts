import type { OutputFile } from "../../emitter/emitter.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { credentialsOf } from "../plan/methods.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type { HostPlan, Plan } from "../plan/plan.js";
import {
  buildFunction,
  buildInterface,
  readonlyMember,
  type Member,
} from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { docLines, printDocs } from "../text/docs.js";
import { hardLine, indent, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteAccess, quoteComment, quoteProperty } from "../text/quote.js";
import { entryOf, linesObjectOf, objectOf } from "../text/shapes.js";
import {
  credentialsMember,
  emitCredentials,
  parametersMember,
} from "./client-credentials.js";

/**
 * `client.ts` at the root: one client for the services of all hosts.
 *
 * Output: none when there is one host only, or none that answers.
 */
export function emitPlatformClient(plan: Plan): readonly OutputFile[] {
  const hosts = plan.hosts.filter(({ inbound }) => inbound.length > 0);
  if (plan.hosts.length < 2 || hosts.length === 0) return [];
  const scope = createScope(plan, plan.root, "client");
  const statements = [
    ...platformOptions(scope, hosts),
    platformInterface(scope, hosts),
    platformFunction(scope, hosts),
  ];
  return printFile(scope.imports, statements);
}

function platformOptions(
  scope: FileScope,
  hosts: readonly HostPlan[],
): readonly Structure[] {
  const { imports, plan } = scope;
  const { names } = plan;
  const methods = hosts.flatMap(({ inbound }) => methodsOf(inbound));
  const credentials = credentialsOf(plan, methods);
  const parameters = hosts.flatMap((host) => host.parameters);
  const clientOptions = imports.runtimeType("client", "ClientOptions");
  const options = buildInterface(
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
function hostsMember(hosts: readonly HostPlan[]): Member {
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

function hostDocs(host: HostPlan["host"]): readonly string[] {
  const named = quoteComment([`Host \`${host.name}\`.`]);
  const notes =
    host.baseUrl === null
      ? []
      : quoteComment([`In the schema: \`${host.baseUrl}\`.`]);
  return docLines(host.docs, named, { notes });
}

function platformInterface(
  { imports, plan }: FileScope,
  hosts: readonly HostPlan[],
): Structure {
  const members = hosts.flatMap(({ inbound, unit }) =>
    inbound.map(({ names: { client, property }, service }) => {
      const type = imports.generatedType(unit, "client", client);
      return readonlyMember(docLines(service.docs), property, type);
    }),
  );
  const docs = ["All services of all hosts."];
  return buildInterface(docs, plan.names.platform.client, members);
}

function platformFunction(
  { imports, plan }: FileScope,
  hosts: readonly HostPlan[],
): Structure {
  const entries = hosts.flatMap(({ inbound, key, unit }) =>
    inbound.map(({ names: { createClient, property } }) => {
      const create = imports.generated(unit, "client", createClient);
      const address = imports.runtime("client", "address");
      const template = `${address}(hosts${quoteAccess(key)})`;
      const baseUrl = entryOf("baseUrl", template);
      return [`${property}: ${create}(`, objectOf(["...shared", baseUrl]), ")"];
    }),
  );
  const { client, createClient, options } = plan.names.platform;
  return buildFunction(
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
