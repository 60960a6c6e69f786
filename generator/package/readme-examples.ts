import { kebabCase } from "../4-emit/names/casing.js";
import { neededCredentials } from "../ir/credentials-of.js";
import { methodsOf } from "../ir/methods-of.js";
import type {
  CredentialPlan,
  Plan,
  HostPlan,
  MethodPlan,
  ServicePlan,
  FieldPlan,
  ScalarValue,
  StructPlan,
  Value,
} from "../4-emit/typescript/plan/plan.js";
import {
  hardLine,
  indent,
  render,
  type Doc,
} from "../4-emit/typescript/text/format.js";
import {
  quoteAccess,
  quoteProperty,
  quoteString,
  quoteKey,
} from "../4-emit/typescript/text/quote.js";
import {
  callWithLimits,
  callWithObject,
  linesObjectOf,
  objectOf,
  arrayOf,
} from "../4-emit/typescript/text/shapes.js";
import type { Host } from "../ir/contract.js";
import { parametersIn } from "../ir/path-parameters.js";
import { readExample } from "../values/read-example.js";
import { typicalText } from "../values/typical.js";
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
    ({ host, key }): Doc => `${quoteProperty(key)}: ${addressOf(host)}`,
  );
  const entries = [
    isPlatform
      ? ["hosts: ", linesObjectOf(addresses)]
      : `baseUrl: ${addressOf(first.host)}`,
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

/** Returns the base address in the schema, or an example. */
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
  return isAddress(baseUrl) ? parametersIn(baseUrl) : [];
}

/** Prints a call with its required fields. */
export function callExample(
  service: ServicePlan,
  { names, request, response }: MethodPlan,
): string {
  const callee = `client${quoteAccess(service.names.property)}${quoteAccess(names.property)}`;
  const entries = sampleEntries(request.object.fields);
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
  const { name } = context;
  const from = [name, unit.folder, "webhooks"].filter((part) => part !== "");
  const handlers = methods.map((each): Doc => {
    const key = quoteProperty(each.names.property);
    const body: Doc[] = ["console.log(request);"];
    const { fields } = each.response.object;
    if (fields.length > 0) {
      const answer = objectOf(sampleEntries(fields));
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

/** The structs that contain a value. A list of one of them is left empty. */
type Outer = ReadonlySet<StructPlan>;

/** Deeper structs are shown without their fields. */
const maxDepth = 4;

/** Prints entries of an object literal with the required fields. */
export function sampleEntries(
  fields: readonly FieldPlan[],
  outer: Outer = new Set(),
): readonly Doc[] {
  return (
    fields
      // An inherited property cannot be omitted.
      .filter(({ field, isInherited }) => !field.isOptional || isInherited)
      .map(({ field, value }) => [
        `${quoteKey(field.jsonName)}: `,
        field.isNullable && isAround(outer, value)
          ? "null"
          : sampleOf(value, outer),
      ])
  );
}

/** Prints a value of a type: the example in the schema, or a placeholder. */
function sampleOf(value: Value, outer: Outer): Doc {
  switch (value.kind) {
    case "bytes":
      return "new Uint8Array()";
    case "scalar":
      return sampleOfScalar(value);
    case "enum":
      return quoteString(value.type.declaration.members[0]?.jsonValue ?? "");
    case "list":
      return isAround(outer, value.held)
        ? "[]"
        : arrayOf([sampleOf(value.held, outer)]);
    case "map":
      return "{}";
    case "struct":
      return outer.has(value.type) || outer.size >= maxDepth
        ? "{}"
        : objectOf(
            sampleEntries(value.type.fields, new Set([...outer, value.type])),
          );
  }
}

/** Whether a type, or the element of a list, is one of these structs. */
function isAround(outer: Outer, value: Value): boolean {
  let inner = value;
  while (inner.kind === "list") inner = inner.held;
  return inner.kind === "struct" && outer.has(inner.type);
}

function sampleOfScalar(value: ScalarValue): string {
  const text = typicalOf(value);
  switch (value.form.sample) {
    case "any":
    case "boolean":
    case "null":
    case "number":
      return text;
    case "file":
      return "new Blob()";
    case "text":
    case "timestamp":
      return quoteString(text);
    case "date":
      return `new Date(${quoteString(text)})`;
    case "bigint":
      return `${BigInt(text)}n`;
  }
}

/** Returns the text of the example, or of a typical value. */
function typicalOf({ known, layers, limits, name }: ScalarValue): string {
  // A match of a pattern could take too long.
  const quick = layers.map(({ pattern: _, ...others }) => others);
  const example = readExample(name, quick, limits.example);
  return example === undefined
    ? typicalText(name, layers, known)
    : String(example);
}
