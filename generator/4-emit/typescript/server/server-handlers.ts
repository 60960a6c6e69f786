import type { Method, Service } from "../../../ir/contract.js";
import { buildInterface, methodMember, type Member } from "../text/build.js";
import { handlerMethodDocs, serviceTitle } from "../calls/call-docs.js";
import { messageType } from "../calls/call-scope.js";
import { docLines, originNotes } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import type { ServerScope } from "./server-scope.js";
import { unionOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/** The interface that users implement for a service. */
export function emitHandler(scope: ServerScope, service: Service): Declared {
  const { imports, layout } = scope;
  const { handler } = layout.names.service(service);
  const docs = docLines(
    service.docs,
    [`Implements ${serviceTitle(service)}.`],
    {
      notes: originNotes(service.docs),
    },
  );
  const members = service.methods.map((method) => handlerMember(scope, method));
  const typeParameters = [scope.typeParameter];
  return buildInterface(imports, docs, handler, members, [], typeParameters);
}

function handlerMember(scope: ServerScope, method: Method): Member {
  const { imports, layout, state } = scope;
  const context = imports.runtimeType("server", "RequestContext");
  const request = messageType(scope, method, "request");
  const { property } = layout.names.method(method);
  return methodMember(
    handlerMethodDocs(layout.contract, method),
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
function answerTypes(scope: ServerScope, method: Method): readonly Doc[] {
  const response = messageType(scope, method, "response");
  if (method.response.isStream) {
    const items = `AsyncIterable<${response}>`;
    return [items, `Promise<${items}>`];
  }
  return method.response.fields.length === 0
    ? [response, "void", `Promise<${response} | void>`]
    : [response, `Promise<${response}>`];
}
