import type { Method, Service } from "../../../ir/contract.js";
import { buildInterface, type Member } from "../text/build.js";
import { handlerMethodDocs, serviceTitle } from "../calls/call-docs.js";
import { memberOf, messageType } from "../calls/call-scope.js";
import { docLines } from "../text/docs.js";
import {
  group,
  ifBreak,
  indent,
  join,
  line,
  softLine,
  type Doc,
} from "../text/format.js";
import { genericHead, type ServerScope } from "./server-scope.js";
import { unionOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/** The interface that users implement for a service. */
export function emitHandler(scope: ServerScope, service: Service): Declared {
  const { imports, layout } = scope;
  const { handler } = layout.names.service(service);
  const docs = docLines(service.docs, [`Implements ${serviceTitle(service)}.`]);
  const members = service.methods.map((method) => handlerMember(scope, method));
  return buildInterface(imports, docs, genericHead(scope, handler), members);
}

function handlerMember(scope: ServerScope, method: Method): Member {
  const { imports, layout, state } = scope;
  const context = imports.runtimeType("server", "RequestContext");
  const request = messageType(scope, method, "request");
  const { property } = layout.names.method(method);
  const signature = methodSignature(
    // A bare `new` would say that the handler is a constructor.
    property === "new" ? '["new"]' : property,
    [`request: ${request}`, `context: ${context}<${state}>`],
    answerTypes(scope, method),
  );
  return memberOf(handlerMethodDocs(layout.contract, method), signature);
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

/** `name(parameters): A | B`; when too long, the parameters break first. */
function methodSignature(
  name: string,
  parameters: readonly Doc[],
  answers: readonly Doc[],
): Doc {
  return group([
    `${name}(`,
    indent([softLine, join([",", line], parameters)]),
    ifBreak(","),
    softLine,
    "): ",
    unionOf(answers),
  ]);
}
