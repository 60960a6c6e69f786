import { findVariant } from "../../generator/values/variants.js";
import { addressOf } from "../../generator/4-emit/emitter/host-settings.js";
import { kebabCase } from "../../generator/4-emit/names/casing.js";
import { neededCredentials } from "../../generator/ir/credentials-of.js";
import { methodsOf } from "../../generator/ir/methods-of.js";
import type {
  CredentialPlan,
  Plan,
  HostPlan,
  MethodPlan,
  ServicePlan,
  FieldPlan,
  Value,
} from "../../generator/4-emit/typescript/plan/plan.js";
import { literalOf } from "../../generator/4-emit/typescript/plan/literal-of.js";
import { inheritedNames } from "../../generator/4-emit/typescript/names/reserved.js";
import {
  hardLine,
  indent,
  render,
  type Doc,
} from "../../generator/4-emit/typescript/text/format.js";
import {
  quoteAccess,
  quoteProperty,
  quoteString,
  quoteKey,
} from "../../generator/4-emit/typescript/text/quote.js";
import {
  callWithLimits,
  callWithObject,
  linesObjectOf,
  objectOf,
  arrayOf,
} from "../../generator/4-emit/typescript/text/shapes.js";
import { collectEntries } from "../../generator/ir/extra-members.js";
import type { Host } from "../../generator/ir/contract.js";
import { parametersIn } from "../../generator/ir/path-template.js";
import {
  isJsonList,
  type Json,
  membersOf,
} from "../../generator/values/json.js";
import { Sampler } from "../../generator/values/sampler.js";
import type { ReadmeContext } from "./readme-context.js";

/** Shows how to create a client, or a sender if there is no client. */
export function quickStart(context: ReadmeContext): string {
  const { name, plan } = context;
  const hosts = plan.hosts.filter(({ inbound }) => inbound.length > 0);
  const [first] = hosts;
  const [service] = plan.hosts.flatMap(({ outbound }) => outbound);
  if (first === undefined) {
    if (service === undefined) return `import ${quoteString(name)};`;
    const { createSender } = service.names;
    return `import { ${createSender} } from ${quoteString(name)};\n\nconst sender = ${createSender}();`;
  }
  const isPlatform = plan.hosts.length > 1;
  const { createClient } = isPlatform ? plan.names.platform : first.names;
  const addresses = hosts.map(
    ({ host, key }): Doc => `${quoteProperty(key)}: ${exampleAddress(host)}`,
  );
  const entries = [
    isPlatform
      ? ["hosts: ", linesObjectOf(addresses)]
      : `baseUrl: ${exampleAddress(first.host)}`,
    ...sharedOptions(context, hosts),
  ];
  const code = callWithObject(`const client = ${createClient}`, [], entries);
  return `import { ${createClient} } from ${quoteString(name)};\n\n${render([code, ";"])}`;
}

/** Returns the credentials that calls of these hosts require. */
export function calledCredentials(
  plan: Plan,
  hosts: readonly HostPlan[],
): readonly CredentialPlan[] {
  const services = hosts.flatMap(({ inbound }) => inbound);
  const methods = methodsOf(services.map(({ service }) => service));
  return neededCredentials(methods, plan);
}

/** Prints credentials and parameters if there are any. */
function sharedOptions(
  { plan }: ReadmeContext,
  hosts: readonly HostPlan[],
): readonly Doc[] {
  const credentials = calledCredentials(plan, hosts).map(
    ({ names }): Doc => `${quoteProperty(names.property)}: "…"`,
  );
  const names = hosts.flatMap(({ host, parameters }) => [
    ...parameters,
    ...parametersIn(addressOf(host) ?? ""),
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

/** Returns the base address in the schema, or an example. */
function exampleAddress(host: Host): string {
  const name = kebabCase(host.name) || "api";
  return quoteString(addressOf(host) ?? `https://${name}.example.com`);
}

/** Prints a call with its required fields. */
export function callExample(
  plan: Plan,
  service: ServicePlan,
  { names, request, response }: MethodPlan,
): string {
  const callee = `client${quoteAccess(service.names.property)}${quoteAccess(names.property)}`;
  const entries = sampleEntries(plan, request.object.fields);
  const call = callWithLimits(callee, [], entries);
  if (response.message.isStream) {
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
  const start = response.object.fields.length > 0 ? "const response = " : "";
  return render([start, "await ", call, ";"]);
}

/** Prints a receiver for a service's webhooks. */
export function receiverExample(
  context: ReadmeContext,
  { unit }: HostPlan,
  { methods, names }: ServicePlan,
): string {
  const { name, plan } = context;
  const from = [name, unit.folder, "webhooks"].filter((part) => part !== "");
  const handlers = methods.map((each): Doc => {
    const key = quoteProperty(each.names.property);
    const body: Doc[] = ["console.log(request);"];
    const { fields } = each.response.object;
    if (fields.length > 0) {
      const answer = objectOf(sampleEntries(plan, fields));
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

/**
 * Prints entries of an object literal with typical values of the required
 * fields.
 */
export function sampleEntries(
  { contract, options }: Plan,
  fields: readonly FieldPlan[],
): readonly Doc[] {
  // An inherited property cannot be omitted.
  const sampler = new Sampler(contract, options, ({ jsonName }) =>
    inheritedNames.has(jsonName),
  );
  const { json } = sampler.message(fields.map(({ field }) => field));
  return entriesOf(fields, json);
}

function entriesOf(fields: readonly FieldPlan[], json: Json): readonly Doc[] {
  const members = new Map(
    collectEntries(
      fields.map(({ field }) => field),
      membersOf(json),
      (extra): Json => Object.fromEntries(extra),
    ),
  );
  return fields.flatMap(({ field: { jsonName }, value }): Doc[] => {
    const member = members.get(jsonName);
    return member === undefined
      ? []
      : [[`${quoteKey(jsonName)}: `, codeOf(value, member)]];
  });
}

/** Prints a value. Input: its JSON. */
function codeOf(value: Value, json: Json): Doc {
  if (json === null && value.kind !== "scalar") return "null";
  switch (value.kind) {
    case "scalar":
      return literalOf(value.form, json);
    case "bytes": {
      const { length } = atob(String(json));
      return `new Uint8Array(${length || ""})`;
    }
    case "enum":
      return quoteString(String(json));
    case "list":
      return isJsonList(json)
        ? arrayOf(json.map((item) => codeOf(value.held, item)))
        : "[]";
    case "map":
      return objectOf(
        membersOf(json).map(([key, member]) => [
          `${quoteKey(key)}: `,
          codeOf(value.held, member),
        ]),
      );
    case "struct":
      return objectOf(entriesOf(value.type.fields, json));
    case "union": {
      const { union, variants } = value.type;
      const variant = findVariant(union, variants, json);
      return variant === null ? "null" : codeOf(variant.value, json);
    }
  }
}
