import type { Host, Method, Service } from "../../ir/contract.js";
import {
  buildInterface,
  buildText,
  type Member,
  type Statement,
} from "./build.js";
import { clientMethodDocs } from "./call-docs.js";
import {
  inboundServices,
  memberOf,
  outboundServices,
  type HostScope,
} from "./call-scope.js";
import { callTypes } from "./client-methods.js";
import { docLines, originNotes } from "./docs.js";
import type { Doc } from "./format.js";
import { quoteComment } from "./quote.js";
import {
  entryOf,
  callWithObject,
  functionOf,
  genericOf,
  linesObjectOf,
} from "./shapes.js";

/** Client interfaces and functions of the services that the host answers. */
export function emitServiceClients(scope: HostScope): readonly Statement[] {
  const { names } = scope.layout;
  return inboundServices(scope.host).flatMap((service) => {
    const { client, createClient } = names.service(service);
    const create = [
      "return ",
      callWithObject(
        scope.imports.runtime("client", "createClient"),
        ["options"],
        methodTable(scope, service),
      ),
      ";",
    ];
    const { options } = names.host(scope.host);
    return [
      serviceInterface(scope, service, client, clientMember),
      exportedFunction(
        [`Creates a client of ${titleOf(service)}.`],
        createClient,
        [`options: ${options}`],
        client,
        [create],
      ),
    ];
  });
}

/** The client of all services of a host; nothing when it answers none. */
export function emitHostClient(scope: HostScope): readonly Statement[] {
  const { host, layout } = scope;
  const services = inboundServices(host);
  if (services.length === 0) return [];
  const names = layout.names.host(host);
  const title = quoteComment([host.name]).join("");
  const parts = services.map((service) => layout.names.service(service));
  const members = parts.map(({ property, client }, index) => ({
    docs: docLines(services[index]?.docs ?? host.docs, []),
    code: `readonly ${property}: ${client}`,
  }));
  const entries = parts.map(({ property, createClient }) =>
    entryOf(property, `${createClient}(options)`),
  );
  return [
    buildInterface(
      [`All services of host \`${title}\`.`, ...hostDocs(host)],
      names.client,
      members,
    ),
    exportedFunction(
      [`Creates clients of all services of host \`${title}\`.`],
      names.createClient,
      [`options: ${names.options}`],
      names.client,
      [["return ", linesObjectOf(entries), ";"]],
    ),
  ];
}

/** Senders of the services that the host calls. */
export function emitSenders(scope: HostScope): readonly Statement[] {
  const { imports, layout } = scope;
  return outboundServices(scope.host).flatMap((service) => {
    const { sender, createSender } = layout.names.service(service);
    const create = [
      "return ",
      callWithObject(
        imports.runtime("client", "createSender"),
        ["options"],
        methodTable(scope, service),
      ),
      ";",
    ];
    return [
      serviceInterface(scope, service, sender, senderMember),
      exportedFunction(
        [`Creates a sender of ${titleOf(service)}, for the host that calls.`],
        createSender,
        [`options: ${imports.runtimeType("client", "SenderOptions")} = {}`],
        sender,
        [create],
      ),
    ];
  });
}

/** What the schema says of a host, as a paragraph of its own. */
function hostDocs({ docs }: Host): readonly string[] {
  const lines = docLines(docs);
  return lines.length === 0 ? [] : ["", ...lines];
}

type EmitMember = (scope: HostScope, method: Method) => Member;

function serviceInterface(
  scope: HostScope,
  service: Service,
  name: string,
  emitMember: EmitMember,
): Statement {
  const docs = docLines(service.docs, [`Methods of ${titleOf(service)}.`], {
    notes: originNotes(service.docs),
  });
  const members = service.methods.map((method) => emitMember(scope, method));
  return buildInterface(docs, name, members);
}

function clientMember(scope: HostScope, method: Method): Member {
  const call = scope.imports.runtimeType("client", "Call");
  return member(scope, method, genericOf(call, callTypes(scope, method)));
}

function senderMember(scope: HostScope, method: Method): Member {
  const send = scope.imports.runtimeType("client", "Send");
  const [request, , error] = callTypes(scope, method);
  return member(scope, method, genericOf(send, [request, error]));
}

function member(scope: HostScope, method: Method, type: Doc): Member {
  const { contract, names } = scope.layout;
  const { error, property } = names.method(method);
  return memberOf(clientMethodDocs(contract, method, error), [
    `readonly ${property}: `,
    type,
  ]);
}

function methodTable(scope: HostScope, service: Service): readonly Doc[] {
  return service.methods.map((method) => {
    const { constant, property } = scope.layout.names.method(method);
    return entryOf(property, constant);
  });
}

/** An exported function with docs. */
export function exportedFunction(
  docs: readonly string[],
  name: Doc,
  parameters: readonly Doc[],
  returnType: Doc,
  body: readonly Doc[],
): Statement {
  return buildText(docs, [
    "export ",
    functionOf(name, parameters, returnType, body),
  ]);
}

function titleOf(service: Service): string {
  return `service \`${quoteComment([service.name]).join("")}\``;
}
