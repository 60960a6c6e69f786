import {
  basePathParameters,
  credentialsOf,
  inboundServices,
  outboundServices,
} from "../4-emit/typescript/calls/call-scope.js";
import { kebabCase } from "../4-emit/typescript/names/casing.js";
import {
  hardLine,
  indent,
  render,
  type Doc,
} from "../4-emit/typescript/text/format.js";
import { keyedHosts } from "../4-emit/typescript/client/platform.js";
import {
  quoteAccess,
  quoteProperty,
  quoteString,
} from "../4-emit/typescript/text/quote.js";
import {
  callWithLimits,
  callWithObject,
  linesObjectOf,
  objectOf,
} from "../4-emit/typescript/text/shapes.js";
import type { Host, Method, Service } from "../ir/contract.js";
import type { ReadmeContext } from "./readme-context.js";
import { sampleEntries } from "./samples.js";

/** How a client is made; how a sender is, where the contract has no other. */
export function quickStart(context: ReadmeContext): string {
  const { contract, layout, name } = context;
  const hosts = keyedHosts(contract);
  const [first] = hosts;
  const [outbound] = contract.hosts.flatMap(outboundServices);
  if (first === undefined) {
    if (outbound === undefined) return `import ${quoteString(name)};`;
    const { createSender } = layout.names.service(outbound);
    return `import { ${createSender} } from ${quoteString(name)};\n\nconst sender = ${createSender}();`;
  }
  const isPlatform = contract.hosts.length > 1;
  const { createClient } = isPlatform
    ? layout.names.platform
    : layout.names.host(first.host);
  const addresses = hosts.map(
    ({ host, key }): Doc => `${quoteProperty(key)}: ${addressOf(host)}`,
  );
  const entries = [
    isPlatform
      ? ["hosts: ", linesObjectOf(addresses)]
      : `baseUrl: ${addressOf(first.host)}`,
    ...sharedOptions(
      context,
      hosts.map(({ host }) => host),
    ),
  ];
  const code = callWithObject(`const client = ${createClient}`, [], entries);
  return `import { ${createClient} } from ${quoteString(name)};\n\n${render([code, ";"])}`;
}

/** Credentials and parameters, where there are any. */
function sharedOptions(
  { contract, layout }: ReadmeContext,
  hosts: readonly Host[],
): readonly Doc[] {
  const methods = hosts.flatMap((host) =>
    inboundServices(host).flatMap((service) => service.methods),
  );
  const credentials = credentialsOf(contract, methods).map(
    (credential): Doc => {
      const { property } = layout.names.credential(credential);
      return `${quoteProperty(property)}: "…"`;
    },
  );
  const names = hosts.flatMap((host) => [
    ...basePathParameters(host),
    ...placeholdersOf(host),
  ]);
  const parameters = [...new Set(names)].map(
    (name): Doc => `${quoteProperty(name)}: "…"`,
  );
  return [
    ...(credentials.length > 0
      ? [["credentials: ", objectOf(credentials)]]
      : []),
    ...(parameters.length > 0 ? [["parameters: ", objectOf(parameters)]] : []),
  ];
}

/** The base address of the schema; an example where it is but a placeholder. */
function addressOf(host: Host): string {
  const { baseUrl } = host;
  return quoteString(
    isAddress(baseUrl)
      ? baseUrl
      : `https://${kebabCase(host.name) || "api"}.example.com`,
  );
}

function isAddress(baseUrl: string | null): baseUrl is string {
  return baseUrl !== null && /^https?:\/\//u.test(baseUrl);
}

function placeholdersOf({ baseUrl }: Host): readonly string[] {
  if (!isAddress(baseUrl)) return [];
  return [...baseUrl.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name);
}

/** A call with the fields that it needs. */
export function callExample(
  context: ReadmeContext,
  service: Service,
  method: Method,
): string {
  const { names } = context.layout;
  const { property } = names.method(method);
  const callee = `client${quoteAccess(names.service(service).property)}${quoteAccess(property)}`;
  const entries = sampleEntries(context, method.request.fields);
  const call = callWithLimits(callee, [], entries);
  if (method.response.isStream) {
    const body = indent([hardLine, "console.log(item);"]);
    return render([
      "for await (const item of ",
      call,
      ") {",
      body,
      hardLine,
      "}",
    ]);
  }
  const start = method.response.fields.length > 0 ? "const response = " : "";
  return render([start, "await ", call, ";"]);
}

/** A receiver of what a service sends. */
export function receiverExample(
  context: ReadmeContext,
  host: Host,
  service: Service,
): string {
  const { layout, name } = context;
  const names = layout.names.service(service);
  const { folder } = layout.unitOfHost(host);
  const from = [name, folder, "webhooks"].filter((part) => part !== "");
  const handlers = service.methods.map((each): Doc => {
    const key = quoteProperty(layout.names.method(each).property);
    const body: Doc[] = ["console.log(request);"];
    if (each.response.fields.length > 0) {
      const answer = objectOf(sampleEntries(context, each.response.fields));
      body.push(["return ", answer, ";"]);
    }
    const lines = body.map((line) => [hardLine, line]);
    return [`${key}(request) {`, indent(lines), hardLine, "}"];
  });
  const call = callWithObject(
    names.createReceiver,
    [],
    [
      'secrets: ["whsec_…"]',
      [
        "handlers: ",
        linesObjectOf([[`${names.property}: `, linesObjectOf(handlers)]]),
      ],
    ],
  );
  return [
    `import { ${names.createReceiver} } from ${quoteString(from.join("/"))};`,
    "",
    render(["const receiver = ", call, ";"]),
  ].join("\n");
}
