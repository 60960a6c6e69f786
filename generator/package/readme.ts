import { markdownCode, markdownComment, markdownText } from "./markdown.js";
import { renderTemplate, type View } from "../4-emit/templates.js";
import {
  credentialsOf,
  inboundServices,
  outboundServices,
} from "../4-emit/typescript/calls/call-scope.js";
import type { ErrorDeclaration, Host } from "../ir/contract.js";
import { cellOf, codeCell, paragraphsOf } from "./markdown-docs.js";
import type { ReadmeContext } from "./readme-context.js";
import { quickStart, receiverExample } from "./readme-examples.js";
import { describeMethod } from "./readme-methods.js";

/** README.md of a package: every method with tables, an example and errors. */
export function printReadme(context: ReadmeContext): string {
  const { contract, name } = context;
  const { hosts } = contract;
  const abouts = hosts.map((host) => paragraphsOf(host.docs));
  const streams = hosts.some((host) =>
    host.services.some(({ methods }) =>
      methods.some(({ response }) => response.isStream),
    ),
  );
  return renderTemplate("package/README.md.hbs", {
    documents: markdownComment(hosts.map((host) => host.document).join(", ")),
    title: name,
    about: abouts.filter((text) => text !== "").join("\n\n") || "A client.",
    quickStart: quickStart(context),
    imports: context.entryPoints.map(({ subpath }) => ({
      specifier: codeCell(name + subpath.slice(1)),
      about: describeImport(subpath),
    })),
    credentials: credentialRows(context),
    services: hosts.flatMap((host) => servicesOf(context, host)),
    webhooks: hosts.flatMap((host) => webhooksOf(context, host)),
    nodeImport: markdownCode(`${name}/runtime/node`),
    errors: contract.errors.map(errorRow),
    streamReason: streams ? ", `stream-lost`" : "",
  });
}

const runtimeImports: Readonly<Record<string, string>> = {
  "./runtime/client": "single methods without a client: `call`, `connect`",
  "./runtime/errors": "`RpcError`, `isRpcError`",
  "./runtime/file-data": "`toFile` for a download in memory",
  "./runtime/interceptors": "`retry`, `observe` and others, for `use`",
  "./runtime/node": "`toNodeHandler` for receivers",
  "./runtime/sign-webhooks": "`signWebhooks` for senders",
  "./runtime/transfer": "single methods with files: `callTransfer`",
  "./runtime/stream": "single streams without a client: `openStream`",
};

function describeImport(subpath: string): string {
  if (subpath === ".") return "clients, types and errors of everything";
  const known = runtimeImports[subpath];
  if (known !== undefined) return known;
  if (subpath.endsWith("validators")) {
    return "checks, e.g. of responses by `checkResponses`";
  }
  if (subpath.endsWith("webhooks")) return "receivers of webhooks";
  if (subpath.endsWith("webrpc")) return "the names of webrpc's own client";
  return `${markdownText(subpath.slice(2))} alone`;
}

function credentialRows({ contract, layout }: ReadmeContext): readonly View[] {
  const methods = contract.hosts.flatMap((host) =>
    inboundServices(host).flatMap((service) => service.methods),
  );
  return credentialsOf(contract, methods).map((credential) => {
    const { header, scheme, docs } = credential;
    const { property } = layout.names.credential(credential);
    return {
      option: codeCell(`credentials.${property}`),
      header: codeCell(scheme === null ? header : `${header}: ${scheme} …`),
      about: cellOf(docs),
    };
  });
}

function servicesOf(context: ReadmeContext, host: Host): readonly View[] {
  return inboundServices(host).map((service) => ({
    title: markdownText(service.name),
    about: paragraphsOf(service.docs),
    methods: service.methods.map((method) =>
      describeMethod(context, service, method),
    ),
  }));
}

function webhooksOf(context: ReadmeContext, host: Host): readonly View[] {
  return outboundServices(host).map((service) => ({
    title: markdownText(service.name),
    about: paragraphsOf(service.docs),
    example: receiverExample(context, host, service),
  }));
}

function errorRow({ name, code, status, message }: ErrorDeclaration): View {
  return {
    name: codeCell(`${name}`),
    code: `${code}`,
    status: `${status}`,
    message: markdownText(message),
  };
}
