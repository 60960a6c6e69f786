import type {
  Contract,
  Docs,
  Field,
  Host,
  Message,
  Method,
  Service,
  TypeDeclaration,
  TypeReference,
} from "../../ir/contract.js";
import {
  type ResolvedValue,
  type ContractValues,
  valuesOf,
} from "../../values/value.js";
import type { EmitOptions } from "../emitter/emitter.js";
import { withoutInvisible } from "../emitter/invisible.js";
import type { DocsOptions } from "./docs-options.js";
import { typicalText } from "../../values/typical.js";
import { describeScalars } from "./scalar-data.js";
import { createPlan } from "../typescript/plan/create-plan.js";
import type {
  HostPlan,
  MethodPlan,
  Plan,
  ServicePlan,
} from "../typescript/plan/plan.js";
import { builtInErrors } from "../typescript/names/built-in-errors.js";
import type {
  ExplorerData,
  FieldData,
  HostData,
  LimitsData,
  MessageData,
  MethodData,
  RouteData,
  ServiceData,
  TextData,
  TypeData,
} from "./explorer-data.js";

/** The context for describing any part of a contract. */
interface Scope {
  readonly values: ContractValues;
  readonly plan: Plan;
  readonly docs: DocsOptions;
}

/** Creates the data of the explorer's page. Input: a checked contract. */
export function createExplorerData(
  contract: Contract,
  options: EmitOptions,
  docs: DocsOptions,
): ExplorerData {
  const plan = createPlan(contract, options);
  const scope = { values: valuesOf(contract), plan, docs };
  const { errors, hosts, types } = contract;
  return {
    title: docs.title ?? hosts.map(({ name }) => name).join(", "),
    parameters: Object.entries(docs.parameters ?? {}),
    scalars: describeScalars(options),
    hosts: plan.hosts.map((host) => describeHost(scope, host)),
    credentials: plan.credentials.map(
      ({ docs, error, header, name, names, scheme }) => ({
        name,
        header,
        ...(scheme !== null && { scheme }),
        error,
        property: names.property,
        ...textOf(docs),
      }),
    ),
    types: types.map((type) => describeType(scope, type)),
    errors: [
      ...errors.map(({ name, code, message, status, docs }) => ({
        name,
        code,
        message,
        status,
        ...textOf(docs),
      })),
      ...builtInErrors.map((error) => ({
        ...error,
        docs: builtInDescriptions[error.name] ?? "",
      })),
    ],
  };
}

function textOf({ lines, origins }: Docs): TextData {
  const docs = lines.map(withoutInvisible).join("\n").trim();
  return {
    ...(docs !== "" && { docs }),
    ...(origins.length > 0 && {
      origins: origins.map(({ kind, detail }) => `${kind} ${detail}`.trim()),
    }),
  };
}

function describeHost(
  scope: Scope,
  { host, parameters, services, unit: { folder } }: HostPlan,
): HostData {
  const { docs, plan } = scope;
  const from = docs.importFrom ?? "./generated";
  const base = folder === "" ? from : `${from}/${folder}`;
  const ending = from.startsWith(".") ? plan.options.importExtension : "";
  const address = Object.hasOwn(docs.addresses ?? {}, host.name)
    ? docs.addresses?.[host.name]
    : writtenAddress(host);
  const isPackage = !from.startsWith(".");
  return {
    name: host.name,
    ...(host.version !== null && { version: host.version }),
    ...textOf(host.docs),
    ...(address !== undefined && { address }),
    ...(parameters.length > 0 && { parameters }),
    client: isPackage ? base : `${base}/client${ending}`,
    server: isPackage ? `${base}/webhooks` : `${base}/server${ending}`,
    services: services.map((service) => describeService(scope, service)),
  };
}

/** Returns the base address in the schema, unless it is only a placeholder. */
function writtenAddress({ baseUrl }: Host): string | undefined {
  return baseUrl !== null && /^https?:\/\//u.test(baseUrl)
    ? baseUrl
    : undefined;
}

function describeService(
  scope: Scope,
  { methods, names, service }: ServicePlan,
): ServiceData {
  const isOutbound = service.direction === "outbound";
  return {
    name: service.name,
    ...textOf(service.docs),
    ...(isOutbound && { isOutbound }),
    create: isOutbound ? names.createReceiver : names.createClient,
    property: names.property,
    methods: methods.map((method) => describeMethod(scope, method, service)),
  };
}

function describeMethod(
  scope: Scope,
  { credentials, method, names }: MethodPlan,
  service: Service,
): MethodData {
  const { deprecated, errors, safety } = method;
  return {
    name: method.name,
    property: names.property,
    ...textOf(method.docs),
    route: describeRoute(method, service),
    credentials: credentials.map(({ header }) => header),
    ...(errors !== null && { errors }),
    ...(safety !== "none" && { safety }),
    ...(deprecated !== null && { deprecated }),
    request: describeMessage(scope, method.request),
    response: describeMessage(scope, method.response),
  };
}

function describeRoute({ name, route }: Method, service: Service): RouteData {
  switch (route.kind) {
    case "rpc":
      return { kind: "rpc", path: route.path };
    case "rest":
      return {
        kind: "rest",
        path: route.path.text,
        ...(route.body !== null && { body: route.body }),
      };
    case "webhook":
      return {
        kind: "webhook",
        ...(service.methods.length > 1 && { event: name }),
      };
  }
}

function describeMessage(
  scope: Scope,
  { fields, isStream, struct }: Message,
): MessageData {
  return {
    ...(struct === null
      ? { fields: describeFields(scope, fields) }
      : { struct }),
    ...(isStream && { isStream }),
  };
}

function describeFields(
  scope: Scope,
  fields: readonly Field[],
): readonly FieldData[] {
  return fields.map((field) => ({
    name: field.jsonName,
    type: field.type,
    ...textOf(field.docs),
    ...(field.isOptional && { isOptional: true }),
    ...(field.isNullable && { isNullable: true }),
    ...(field.isSensitive && { isSensitive: true }),
    ...(field.deprecated !== null && { deprecated: field.deprecated }),
    limits: describeLimits(scope, field),
  }));
}

function describeLimits(
  { values }: Scope,
  subject: Field | TypeReference,
): LimitsData {
  const value = values.valueOf(subject);
  const { maximum, minimum, ...others } = value.limits;
  const sample = others.example === undefined ? sampleOf(value) : undefined;
  return {
    ...others,
    ...(minimum !== undefined && { minimum: String(minimum) }),
    ...(maximum !== undefined && { maximum: String(maximum) }),
    ...(sample !== undefined && { sample }),
  };
}

/** Returns a typical value, unless it is that of the type without limits. */
function sampleOf(value: ResolvedValue): string | undefined {
  if (value.kind !== "scalar") return undefined;
  const { layers, scalar } = value;
  const sample = typicalText(scalar, layers);
  return sample === typicalText(scalar) ? undefined : sample;
}

function describeType(scope: Scope, type: TypeDeclaration): TypeData {
  const head = { name: type.name, ...textOf(type.docs) };
  switch (type.kind) {
    case "struct":
      return {
        kind: "struct",
        ...head,
        fields: describeFields(scope, type.fields),
      };
    case "enum":
      return {
        kind: "enum",
        ...head,
        members: type.members.map(({ docs, jsonValue, name }) => ({
          value: jsonValue,
          ...(name !== jsonValue && { name }),
          ...textOf(docs),
        })),
      };
    case "alias":
      return {
        kind: "alias",
        ...head,
        type: type.type,
        limits: describeLimits(scope, { kind: "reference", name: type.name }),
        ...(type.known !== null && { known: type.known }),
        ...(type.title !== null && { title: type.title }),
      };
  }
}

/** Human-readable descriptions of the built-in errors. Source: docs/wire.md. */
const builtInDescriptions: Readonly<Record<string, string>> = {
  WebrpcEndpoint: "A failure without a more specific error.",
  WebrpcRequestFailed:
    "The request failed because the server is busy or took too long.",
  WebrpcBadRoute: "There is no method at this address.",
  WebrpcBadMethod: "The address requires a different HTTP verb.",
  WebrpcBadRequest: "The request is invalid or does not follow the protocol.",
  WebrpcBadResponse:
    "The server produced a response that violates its contract.",
  WebrpcServerPanic: "The server failed while it was responding.",
  WebrpcInternalError: "The server failed. Its log contains the reason.",
  WebrpcClientDisconnected:
    "The caller disconnected before it received the response.",
  WebrpcStreamLost: "The stream ended prematurely.",
};
