import { markdownCode, markdownText } from "./markdown.js";
import type { View } from "../4-emit/templates.js";
import { checkedCredentials } from "../4-emit/typescript/calls/call-scope.js";
import { render } from "../4-emit/typescript/text/format.js";
import { fieldTypeOf } from "../4-emit/typescript/types/type-text.js";
import type { Message, Method, Service } from "../ir/contract.js";
import { cellOf, codeCell, paragraphsOf } from "./markdown-docs.js";
import type { ReadmeContext } from "./readme-context.js";
import { callExample } from "./readme-examples.js";

/** What the README says about a method. */
export function describeMethod(
  context: ReadmeContext,
  service: Service,
  method: Method,
): View {
  const { names } = context.layout;
  const { deprecated, docs, request, response } = method;
  const { property } = names.service(service);
  return {
    title: markdownCode(`${property}.${names.method(method).property}`),
    about: paragraphsOf(docs),
    deprecated:
      deprecated === null ? "" : markdownText(deprecated) || "Do not use it.",
    example: callExample(context, service, method),
    messages: [
      describeMessage(context, "Request", request),
      describeMessage(
        context,
        response.isStream ? "Each item" : "Response",
        response,
      ),
    ],
    facts: factsOf(context, method),
  };
}

function describeMessage(
  { types }: ReadmeContext,
  title: string,
  { fields }: Message,
): View {
  return {
    title,
    fields: fields.map((field) => ({
      name: codeCell(field.jsonName),
      type: codeCell(render(fieldTypeOf(types, field))),
      required: field.isOptional ? "" : "yes",
      about: cellOf(field.docs),
    })),
  };
}

/** Credentials, whether it may be repeated, errors. */
function factsOf({ contract }: ReadmeContext, method: Method): string {
  const { errors, safety } = method;
  const headers = checkedCredentials(contract, method).map(({ header }) =>
    markdownCode(header),
  );
  const named = (errors ?? []).map(markdownCode).join(", ");
  const sentences = [
    headers.length > 0 ? `Needs ${headers.join(" and ")}.` : "",
    safety === "readonly" ? "Changes nothing." : "",
    safety === "idempotent" ? "May be repeated." : "",
    errors === null
      ? "Errors: any of those below."
      : `Errors: ${named === "" ? "built-in ones only" : named}.`,
  ];
  return sentences.filter((text) => text !== "").join(" ");
}
