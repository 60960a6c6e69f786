import { hostScope, type HostScope } from "../plan/file-scope.js";
import { handlerMethodDocs, serviceTitle } from "../plan/method-docs.js";
import type { MethodPlan, Plan, ServicePlan, UnitPlan } from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { buildInterface, methodMember, type Member } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { docLines } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import { unionOf } from "../text/shapes.js";

/** The context for building a file with handlers. */
export interface ServerScope extends HostScope {
  /** Type parameter for the state of a request: `State`, if free. */
  readonly state: string;
  /** The type parameter with its default, as in declarations. */
  readonly typeParameter: string;
  /**
   * Name of the constant about the data of errors, or null if no error of the
   * host has data.
   */
  readonly errorData: string | null;
  /** Name of the constant about the body of errors, or null if there is none. */
  readonly errorBody: string | null;
  /** Name of the constant about contracts of clients, or null. */
  readonly skew: string | null;
}

/**
 * Returns the context for a host's handlers, or null if the unit has no host.
 */
export function serverScope(
  plan: Plan,
  unit: UnitPlan,
  file: "server" | "webhooks",
): ServerScope | null {
  const scope = hostScope(plan, unit, file);
  if (scope === null) return null;
  const state = scope.locals.claim("State", "RequestState");
  const { host, locals } = scope;
  const errorData =
    host.errorData.length === 0 ? null : locals.claim("errorData");
  const errorBody = host.errorBody === null ? null : locals.claim("errorBody");
  const isTold = plan.options.skew?.has(host.host.name);
  const skew = isTold && file === "server" ? locals.claim("skew") : null;
  const typeParameter = `${state} = undefined`;
  return { ...scope, state, typeParameter, errorBody, errorData, skew };
}

/** Emits the interface that users implement for a service. */
export function emitHandler(
  scope: ServerScope,
  { methods, names, service }: ServicePlan,
): Structure {
  const docs = docLines(service.docs, [`Implements ${serviceTitle(service)}.`]);
  const members = methods.map((method) => handlerMember(scope, method));
  const typeParameters = [scope.typeParameter];
  return buildInterface(docs, names.handler, members, [], typeParameters);
}

function handlerMember(scope: ServerScope, method: MethodPlan): Member {
  const { imports, plan, state } = scope;
  const context = imports.runtimeType("server", "RequestContext");
  const request = declaredType(imports, method.request.object);
  const { property } = method.names;
  return methodMember(
    handlerMethodDocs(plan, method),
    // An unquoted `new` would declare a constructor.
    property === "new" ? '["new"]' : property,
    [
      { name: "request", type: request },
      { name: "context", type: `${context}<${state}>` },
    ],
    unionOf(answerTypes(scope, method)),
  );
}

/**
 * Lists the types that a handler can return, including void if the response has
 * no fields.
 */
function answerTypes(
  { imports }: ServerScope,
  { response: { message, object } }: MethodPlan,
): readonly Doc[] {
  const response = declaredType(imports, object);
  if (message.isStream) {
    const items = `AsyncIterable<${response}>`;
    return [items, `Promise<${items}>`];
  }
  return object.fields.length === 0
    ? [response, "void", `Promise<${response} | void>`]
    : [response, `Promise<${response}>`];
}
