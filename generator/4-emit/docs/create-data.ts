import { fieldsAt, foldRequest, skip } from "../../http/slots.js";
import type {
  Contract,
  Docs,
  Field,
  Message,
  Method,
  QueryParameter,
  Service,
  TypeDeclaration,
  TypeReference,
  Union,
} from "../../ir/contract.js";
import {
  type ResolvedValue,
  type ContractValues,
  isFile,
  valuesOf,
} from "../../values/value.js";
import type {
  WireBody,
  WireMethod,
  WireRequest,
  WireResponse,
} from "../../http/wire-method.js";
import { finiteFirst } from "../../values/finite-first.js";
import { variantsOf } from "../../values/variants.js";
import type { EmitOptions } from "../emitter/emitter.js";
import { addressOf } from "../emitter/host-settings.js";
import { withoutInvisible } from "../emitter/invisible.js";
import type { DocsOptions } from "./docs-options.js";
import { allowedValues } from "../../values/allowed-values.js";
import { writeJson } from "../../values/json.js";
import { Sampler } from "../../values/sampler.js";
import { describeScalars, formOf, sampleText } from "./scalar-data.js";
import { createPlan } from "../typescript/plan/create-plan.js";
import type {
  HostPlan,
  MethodPlan,
  PagingPlan,
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
  PagingData,
  RouteData,
  ServiceData,
  TextData,
  TypeData,
  UnionData,
} from "./explorer-data.js";
import { byPlace } from "../../http/credentials.js";
import { namesEvents } from "../../http/wire-of.js";

/** The context for describing any part of a contract. */
interface Scope {
  readonly values: ContractValues;
  readonly plan: Plan;
  readonly docs: DocsOptions;
  /** Samples with the required fields, for requests. */
  readonly brief: Sampler;
  /** Samples with all fields, for responses. */
  readonly whole: Sampler;
}

/** Creates the data of the explorer's page. Input: a checked contract. */
export function createExplorerData(
  contract: Contract,
  options: EmitOptions,
  docs: DocsOptions,
): ExplorerData {
  const plan = createPlan(contract, options);
  const brief = new Sampler(contract, options, () => false);
  const whole = new Sampler(contract, options, () => true);
  const scope = { values: valuesOf(contract), plan, docs, brief, whole };
  const { errors, hosts, types } = contract;
  return {
    title: docs.title ?? hosts.map(({ name }) => name).join(", "),
    parameters: Object.entries(docs.parameters ?? {}),
    scalars: describeScalars(brief, options),
    hosts: plan.hosts.map((host) => describeHost(scope, host)),
    credentials: plan.credentials.map(
      ({ docs, error, key, name, names, parameter, place, scheme }) => ({
        name,
        header: key,
        ...byPlace(
          { place },
          {
            header: {},
            query: { place: "query" as const, parameter },
            cookie: { place: "cookie" as const, parameter },
          },
        ),
        ...(scheme !== null && { scheme }),
        error,
        property: names.property,
        ...textOf(docs),
      }),
    ),
    types: types.map((type) => describeType(scope, type)),
    errors: [
      ...errors.map(
        ({ anyStatus, name, code, data, message, status, docs }) => ({
          name,
          code,
          message,
          status: anyStatus ? ("any" as const) : status,
          ...(data !== null && { data }),
          ...textOf(docs),
        }),
      ),
      ...builtInErrors.map((error) => ({
        ...error,
        docs: builtInDescriptions[error.name] ?? "",
      })),
    ],
  };
}

function textOf({ lines }: Docs): TextData {
  const docs = lines.map(withoutInvisible).join("\n").trim();
  return docs === "" ? {} : { docs };
}

function describeHost(
  scope: Scope,
  { host, parameters, services, unit: { folder } }: HostPlan,
): HostData {
  const { docs, plan } = scope;
  const from = docs.importFrom ?? "./generated";
  const base = folder === "" ? from : `${from}/${folder}`;
  const ending = from.startsWith(".") ? plan.options.importExtension : "";
  const address = addressOf(host, docs);
  const isPackage = !from.startsWith(".");
  return {
    name: host.name,
    ...(host.version !== null && { version: host.version }),
    ...textOf(host.docs),
    ...(address !== null && { address }),
    ...(parameters.length > 0 && { parameters }),
    client: isPackage ? base : `${base}/client${ending}`,
    server: isPackage ? `${base}/webhooks` : `${base}/server${ending}`,
    services: services.map((service) => describeService(scope, service)),
  };
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
  { credentials, method, names, paging, wire }: MethodPlan,
  service: Service,
): MethodData {
  const { deprecated, errors, idempotencyKey, resume, safety } = method;
  return {
    name: method.name,
    property: names.property,
    ...textOf(method.docs),
    route: describeRoute(method, wire, service),
    credentials: credentials.map(({ key }) => key),
    ...(method.alternatives.length > 0 && {
      alternatives: method.alternatives,
    }),
    ...(errors !== null && { errors }),
    ...(safety !== "none" && { safety }),
    ...(idempotencyKey !== "none" && { idempotencyKey }),
    ...(resume !== null && { resume }),
    ...(deprecated !== null && { deprecated }),
    ...(paging !== null && { paging: describePaging(paging) }),
    request: describeMessage(scope, method.request, scope.brief),
    response: describeMessage(
      scope,
      method.response,
      scope.whole,
      wire.response,
    ),
  };
}

function describePaging({
  answered,
  asked,
  holder,
  isNumbered,
  linked,
}: PagingPlan): PagingData {
  const path = holder === null ? [asked] : [holder, asked];
  return {
    ...(isNumbered && { isNumbered }),
    ...(linked !== null && {
      linked: {
        parameter: linked.parameter,
        ...(linked.isNumber && { isNumber: true as const }),
      },
    }),
    asked: path.map(({ field }) => field.jsonName),
    answered: answered.field.jsonName,
  };
}

function describeRoute(
  { name, route }: Method,
  wire: WireMethod,
  service: Service,
): RouteData {
  switch (route.kind) {
    case "rpc":
      return { kind: "rpc", path: wire.address?.template.text ?? "" };
    case "rest":
      return { kind: "rest", ...describeAddress(wire) };
    case "webhook":
      return {
        kind: "webhook",
        ...(namesEvents(service) && { event: name }),
      };
  }
}

/** Returns what differs from a GET whose request is in the path. */
function describeAddress({
  address,
  request,
  response,
}: WireMethod): Omit<RouteData, "kind"> {
  const { byStatus, successes, whole } = response;
  const [{ status }] = successes;
  const { target = "", template, verb = "GET" } = address ?? {};
  const query = describeQuery(request);
  const headers = fieldsAt(request, "header").map(({ field, name }) => ({
    name,
    field: field.jsonName,
  }));
  return {
    path: template?.text ?? "",
    ...(verb !== "GET" && { verb }),
    ...(query.length > 0 && { query, target }),
    ...(headers.length > 0 && { headers }),
    ...describeBody(request.body),
    ...(status !== 200 && { status }),
    ...(whole !== null && { body: whole.jsonName }),
    ...(byStatus.length > 0 && {
      statuses: byStatus.map((each) => ({
        status: each.status,
        body: each.body?.jsonName ?? null,
      })),
    }),
  };
}

function describeQuery(request: WireRequest): readonly QueryParameter[] {
  return foldRequest<QueryParameter>(request, {
    path: skip,
    query: ({ field, list, name }) => [
      {
        kind: "field",
        name,
        field: field.jsonName,
        isJoined: list === "joined",
      },
    ],
    fixed: ({ name, value }) => [{ kind: "fixed", name, value }],
    header: skip,
    member: skip,
    part: skip,
    whole: skip,
  });
}

function describeBody(
  body: WireBody,
): Pick<RouteData, "form" | "isFile" | "mediaType" | "requestBody"> {
  switch (body.kind) {
    case "none":
      return {};
    case "object":
      return { requestBody: true, ...describeContent(body) };
    case "whole": {
      const requestBody = body.whole.jsonName;
      return { requestBody, ...describeContent(body) };
    }
  }
}

function describeContent({
  content,
  mediaType,
  statedMediaType,
}: WireBody): Pick<RouteData, "form" | "isFile" | "mediaType"> {
  switch (content.kind) {
    case "json":
      return statedMediaType === null ? {} : { mediaType };
    case "form":
      return { form: content.list, mediaType };
    case "file":
      return { isFile: true };
  }
}

function describeMessage(
  scope: Scope,
  { fields, isStream, struct }: Message,
  sampler: Sampler,
  response?: WireResponse,
): MessageData {
  const { values } = scope;
  const shown = fields.filter((each) => !isFile(values, values.valueOf(each)));
  const { json } = sampler.message(shown);
  const whole = response?.wholes[0]?.jsonName;
  const isEmpty = whole === undefined && response?.successes[0].body === "none";
  const shownJson = whole === undefined ? json : json[whole];
  const example = isEmpty ? "{}" : writeJson(shownJson ?? {});
  return {
    ...(struct === null
      ? { fields: describeFields(scope, fields) }
      : { struct }),
    ...(isStream && { isStream }),
    ...(example !== "{}" && { example }),
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
    ...(field.isExtra && { isExtra: true }),
    ...(field.header !== null && { header: field.header }),
    ...(field.deprecated !== null && { deprecated: field.deprecated }),
    limits: describeLimits(scope, field),
  }));
}

function describeLimits(
  scope: Scope,
  subject: Field | TypeReference,
): LimitsData {
  const value = scope.values.valueOf(subject);
  const { enum: _, maximum, minimum, ...others } = value.limits;
  const listed = allowedValues(value.limits, scope.plan.options.int64);
  const sample = sampleOf(scope, subject, value);
  return {
    ...(listed !== null && { enum: listed.map(String) }),
    ...others,
    ...(minimum !== undefined && { minimum: String(minimum) }),
    ...(maximum !== undefined && { maximum: String(maximum) }),
    ...(sample !== undefined && { sample }),
  };
}

/**
 * Returns a typical value, unless it is the example, or that of the type without
 * limits.
 */
function sampleOf(
  { brief }: Scope,
  subject: Field | TypeReference,
  value: ResolvedValue,
): string | undefined {
  switch (value.kind) {
    case "scalar": {
      const { kind, scalar: name } = value;
      const form = formOf(name);
      const sample = sampleText(brief, subject, form);
      const usual = sampleText(brief, { kind, name }, form);
      const known = value.limits.example ?? usual;
      return sample === known ? undefined : sample;
    }
    case "bytes":
      return sampleText(brief, subject, "text");
    case "enum":
    case "struct":
    case "list":
    case "map":
    case "union":
      return undefined;
  }
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
    case "union":
      return {
        kind: "union",
        ...head,
        variants: variantsOf(scope.values)(type).map((variant) => ({
          type: variant.type,
          tags: variant.tags.map(String),
        })),
        ...startOf(scope.values, type),
        ...(type.tag !== null && { tag: type.tag }),
        ...(type.isOpen && { isOpen: true }),
        ...(type.choice.length > 0 && { choice: type.choice }),
        ...(type.title !== null && { title: type.title }),
      };
    case "alias":
      return {
        kind: "alias",
        ...head,
        type: type.type,
        limits: describeLimits(scope, { kind: "reference", name: type.name }),
        ...(type.known !== null && { known: type.known }),
        ...(type.title !== null && { title: type.title }),
        ...(type.isNullable && { isNullable: true }),
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

/** Returns the index of the variant that a form shows first, if it is not 0. */
function startOf(
  values: ContractValues,
  union: Union,
): Pick<UnionData, "start"> {
  const [first] = finiteFirst(values, union);
  const start = union.variants.findIndex((type) => type === first);
  return start > 0 ? { start } : {};
}
