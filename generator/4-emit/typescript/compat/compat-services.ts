import type { Service } from "../../../ir/contract.js";
import type { HostScope } from "../plan/file-scope.js";
import { serviceTitle } from "../plan/method-docs.js";
import type { MethodPlan, ServicePlan } from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import {
  buildInterface,
  buildReferred,
  methodMember,
  type Member,
} from "../text/build.js";
import { docLines, docsOf } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import { NamePool } from "../../names/name-pool.js";
import { quoteProperty, quoteString } from "../text/quote.js";
import { objectMembers } from "../names/reserved.js";
import {
  arrayOf,
  entryOf,
  genericOf,
  linesObjectOf,
  objectOf,
  pureCallOf,
} from "../text/shapes.js";
import { kinds, type Parameter, type Structure } from "../text/structures.js";

/** Members that every service has besides its methods. */
const serviceMembers = ["hostname", "fetch", "path", "queryKey"];

/** A method and its name in this file. */
interface CompatMethod {
  readonly method: MethodPlan;
  readonly property: string;
  readonly hasRequest: boolean;
}

/** Emits two interfaces, a class and its base for each inbound service. */
export function emitCompatServices(scope: HostScope): readonly Structure[] {
  const { locals } = scope;
  return scope.host.inbound.flatMap((plan) => {
    const { names, service } = plan;
    const methods = nameMethods(plan);
    const word = names.client.replace(/Client(?=\d*$)/u, "");
    const parts = {
      client: names.client,
      keys: locals.claim(`${word}QueryKeys`),
      name: locals.claim(classNameOf(service), `${word}Service`),
      base: locals.claim(`${names.property}Base`),
    };
    return [
      buildInterface(
        docLines(service.docs, [`Methods of ${serviceTitle(service)}.`]),
        parts.client,
        methods.map((each) => callMember(scope, each)),
      ),
      buildInterface(
        [`Cache keys for ${serviceTitle(service)}.`],
        parts.keys,
        methods.map((each) => keyMember(scope, service, each)),
      ),
      emitBase(scope, plan, methods, parts),
      {
        kind: kinds.class,
        docs: docsOf([`Client for ${serviceTitle(service)}.`]),
        isExported: true,
        name: parts.name,
        extends: parts.base,
      },
    ];
  });
}

/** Names methods as webrpc's generator does, with a lowercase first letter. */
function nameMethods(service: ServicePlan): readonly CompatMethod[] {
  const properties = new NamePool(
    new Set([...objectMembers, ...serviceMembers]),
  );
  return service.methods.map((method) => {
    const [first = "", ...rest] = method.method.name;
    const word = first.toLowerCase() + rest.join("");
    const { message } = method.request;
    return {
      method,
      property: properties.claim(word, `${word}_`),
      hasRequest: message.struct !== null || message.fields.length > 0,
    };
  });
}

/** Returns the name in the schema, without invalid characters. */
function classNameOf({ name }: Service): string {
  const kept = name.replace(/\W/gu, "");
  return /^[A-Za-z_]/u.test(kept) ? kept : `_${kept}`;
}

function callMember(scope: HostScope, each: CompatMethod): Member {
  const { imports } = scope;
  const { property } = each;
  const { method, response: answer } = each.method;
  const response = declaredType(imports, answer.object);
  const docs = docLines(method.docs, [], { deprecated: method.deprecated });
  const name = memberName(property);
  const request = requestOf(scope, each);
  if (answer.message.isStream) {
    const options = imports.runtimeType(
      "codegen/webrpc",
      "WebrpcStreamOptions",
    );
    const controller = imports.runtimeType(
      "codegen/webrpc",
      "WebrpcStreamController",
    );
    const parameter = { name: "options", type: `${options}<${response}>` };
    return methodMember(docs, name, [...request, parameter], controller);
  }
  const parameters = [
    ...request,
    { name: "headers", type: "object", hasQuestionToken: true },
    { name: "signal", type: "AbortSignal", hasQuestionToken: true },
  ];
  const promise = genericOf("Promise", [response]);
  return methodMember(docs, name, parameters, promise);
}

function keyMember(
  scope: HostScope,
  service: Service,
  each: CompatMethod,
): Member {
  const words = [
    quoteString(service.name),
    quoteString(each.method.names.property),
  ];
  const request = each.hasRequest
    ? [declaredType(scope.imports, each.method.request.object)]
    : [];
  const name = memberName(each.property);
  const key: Doc = ["readonly ", arrayOf([...words, ...request])];
  return methodMember([], name, requestOf(scope, each), key);
}

function requestOf(
  { imports }: HostScope,
  { method, hasRequest }: CompatMethod,
): readonly Parameter[] {
  if (!hasRequest) return [];
  return [{ name: "req", type: declaredType(imports, method.request.object) }];
}

/** Quotes `new`, which would otherwise declare a constructor. */
function memberName(property: string): string {
  return property === "new" ? '["new"]' : quoteProperty(property);
}

/** The code that accesses the call in the constant of each kind of method. */
const plainMethod = {
  call: "",
  stream: ".item",
  transfer: ".message",
} as const;

interface ServiceParts {
  readonly client: string;
  readonly keys: string;
  readonly base: string;
}

function emitBase(
  scope: HostScope,
  service: ServicePlan,
  methods: readonly CompatMethod[],
  { client, keys, base }: ServiceParts,
): Structure {
  const { imports, plan, unit } = scope;
  const errorByCode = imports.generated(
    plan.root,
    "webrpc",
    plan.names.imported("webrpcErrorByCode"),
  );
  const maker = imports.runtime("codegen/webrpc", "webrpcService");
  const sender = (): string =>
    imports.runtime("codegen/webrpc-transfer", "sendFiles");
  const follower = (): string =>
    imports.runtime("codegen/webrpc-stream", "followStream");
  const table = methods.map(({ method, property, hasRequest }) => {
    const { kind } = method;
    const { constant, property: key } = method.names;
    const call = imports.generated(unit, "client", constant);
    const entries = [
      entryOf("call", call + plainMethod[kind]),
      entryOf("hasRequest", `${hasRequest}`),
      ...(kind === "stream" ? [entryOf("follow", follower())] : []),
      ...(kind === "transfer" ? [entryOf("send", `${sender()}(${call})`)] : []),
      ...(key === property ? [] : [entryOf("key", quoteString(key))]),
    ];
    return [`${quoteProperty(property)}: `, objectOf(entries)];
  });
  const parts = [
    entryOf("name", quoteString(service.service.name)),
    entryOf("path", quoteString(pathOf(service))),
    `header: ${plan.names.imported("WebrpcHeaderValue")}`,
    `errorByCode: ${errorByCode}`,
    ["methods: ", linesObjectOf(table)],
  ];
  const madeType = imports.runtimeType("codegen/webrpc", "WebrpcServiceClass");
  return buildReferred(
    base,
    genericOf(madeType, [client, keys]),
    pureCallOf(maker, [], parts),
  );
}

/** Returns the common prefix of the paths of a service's RPC methods. */
function pathOf({ methods }: ServicePlan): string {
  const isRpc = ({ method }: MethodPlan): boolean =>
    method.route.kind === "rpc";
  const path = methods.find(isRpc)?.path ?? "";
  return path.slice(0, path.lastIndexOf("/") + 1);
}
