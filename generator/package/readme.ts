import { markdownComment, markdownText } from "../4-emit/origins/markdown.js";
import { renderTemplate, type View } from "../4-emit/templates.js";
import {
  credentialsOf,
  methodsOf,
} from "../4-emit/typescript/plan/credentials.js";
import type { HostPlan } from "../4-emit/typescript/plan/plan.js";
import type { ErrorDeclaration } from "../ir/contract.js";
import { cellOf, codeCell, paragraphsOf } from "./markdown-docs.js";
import type { ReadmeContext } from "./readme-context.js";
import { quickStart, receiverExample } from "./readme-examples.js";
import { describeMethod } from "./readme-methods.js";

/** README.md of a package: every method with tables, an example and errors. */
export function printReadme(context: ReadmeContext): string {
  const { name, plan } = context;
  const { errors, hosts } = plan.contract;
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
    imports: importRows(context),
    credentials: credentialRows(context),
    services: plan.hosts.flatMap((host) => servicesOf(context, host)),
    webhooks: plan.hosts.flatMap((host) => webhooksOf(context, host)),
    errors: errors.map(errorRow),
    streamReason: streams ? ", `stream-lost`" : "",
  });
}

function importRows(context: ReadmeContext): readonly View[] {
  const { entryPoints, name, runtimeEntries } = context;
  return [
    ...entryPoints.map(({ subpath }) => ({
      specifier: codeCell(name + subpath.slice(1)),
      about: describeImport(subpath),
    })),
    ...runtimeEntries.map((entry) => ({
      specifier: codeCell(`@ridlkit/runtime/${entry}`),
      about: runtimeImports[entry] ?? "",
    })),
  ];
}

const runtimeImports: Readonly<Record<string, string>> = {
  client: "single methods without a client: `call`, `connect`",
  errors: "`RpcError`, `isRpcError`",
  "file-data": "`toFile` for a download in memory",
  interceptors: "`retry`, `observe` and others, for `use`",
  node: "`toNodeHandler` for receivers",
  "sign-webhooks": "`signWebhooks` for senders",
  transfer: "single methods with files: `callTransfer`",
  stream: "single streams without a client: `openStream`",
};

function describeImport(subpath: string): string {
  if (subpath === ".") return "clients, types and errors of everything";
  if (subpath.endsWith("validators")) {
    return "checks, e.g. of responses by `checkResponses`";
  }
  if (subpath.endsWith("webhooks")) return "receivers of webhooks";
  if (subpath.endsWith("webrpc")) return "the names of webrpc's own client";
  return `${markdownText(subpath.slice(2))} alone`;
}

function credentialRows({ plan }: ReadmeContext): readonly View[] {
  const methods = plan.hosts.flatMap(({ inbound }) => methodsOf(inbound));
  return credentialsOf(plan, methods).map((credential) => {
    const { docs, header, names, scheme } = credential;
    return {
      option: codeCell(`credentials.${names.property}`),
      header: codeCell(scheme === null ? header : `${header}: ${scheme} …`),
      about: cellOf(docs),
    };
  });
}

function servicesOf(
  context: ReadmeContext,
  { inbound }: HostPlan,
): readonly View[] {
  return inbound.map((plan) => ({
    title: markdownText(plan.service.name),
    about: paragraphsOf(plan.service.docs),
    methods: plan.methods.map((method) =>
      describeMethod(context, plan, method),
    ),
  }));
}

function webhooksOf(context: ReadmeContext, host: HostPlan): readonly View[] {
  return host.outbound.map((plan) => ({
    title: markdownText(plan.service.name),
    about: paragraphsOf(plan.service.docs),
    example: receiverExample(context, host, plan),
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
