import { handlerMethodDocs, serviceTitle } from "../plan/method-docs.js";
import type { MethodPlan, ServicePlan } from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { buildInterface, methodMember, type Member } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { docLines } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import { unionOf } from "../text/shapes.js";
import type { ServerScope } from "./server-scope.js";

/** The interface that users implement for a service. */
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
    // A bare `new` would say that the handler is a constructor.
    property === "new" ? '["new"]' : property,
    [
      { name: "request", type: request },
      { name: "context", type: `${context}<${state}>` },
    ],
    unionOf(answerTypes(scope, method)),
  );
}

/** A method with nothing to say may return nothing; a stream goes on. */
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
