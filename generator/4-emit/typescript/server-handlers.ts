import type { Method, Service } from "../../ir/contract.js";
import { buildInterface, type Member, type Statement } from "./build.js";
import { handlerMethodDocs } from "./call-docs.js";
import { messageType, type HostScope } from "./call-scope.js";
import { docLines } from "./docs.js";
import { quoteComment } from "./quote.js";
import { genericOf, signatureOf, unionOf } from "./shapes.js";

/** The interface that users implement for a service. */
export function emitHandler(scope: HostScope, service: Service): Statement {
  const { handler } = scope.layout.names.service(service);
  const name = quoteComment([service.name]).join("");
  const docs = docLines(service.docs, [`Implements service \`${name}\`.`]);
  const members = service.methods.map((method) => handlerMember(scope, method));
  return buildInterface(docs, `${handler}<State = undefined>`, members);
}

function handlerMember(scope: HostScope, method: Method): Member {
  const { imports, layout } = scope;
  const context = imports.runtimeType("server", "RequestContext");
  const request = messageType(scope, method, "request");
  const response = messageType(scope, method, "response");
  const parameters = [`request: ${request}`, `context: ${context}<State>`];
  const answers = unionOf([response, genericOf("Promise", [response])]);
  return {
    docs: handlerMethodDocs(layout.contract, method),
    code: signatureOf(
      layout.names.method(method).property,
      parameters,
      answers,
    ),
  };
}
