import { checkedCredentials } from "../4-emit/typescript/calls/call-scope.js";
import { render } from "../4-emit/typescript/text/format.js";
import { fieldTypeOf } from "../4-emit/typescript/types/type-text.js";
import type { Message, Method, Service } from "../ir/contract.js";
import {
  codeCell,
  docsCell,
  markdownCode,
  markdownDocs,
  markdownTable,
  markdownText,
  typeScriptBlock,
} from "./markdown.js";
import type { ReadmeContext } from "./readme-context.js";
import { callExample } from "./readme-examples.js";

/** Paragraphs of the README about a method. */
export function describeMethod(
  context: ReadmeContext,
  service: Service,
  method: Method,
): readonly string[] {
  const { names } = context.layout;
  const { deprecated, docs, request, response } = method;
  const { property } = names.service(service);
  const path = `${property}.${names.method(method).property}`;
  const instead = markdownText(deprecated ?? "") || "Do not use it.";
  return [
    `### ${markdownCode(path)}`,
    deprecated === null ? "" : `**Deprecated.** ${instead}`,
    markdownDocs(docs),
    typeScriptBlock(callExample(context, service, method)),
    ...describeMessage(context, "Request", request),
    ...describeMessage(
      context,
      response.isStream ? "Each item" : "Response",
      response,
    ),
    listFacts(context, method),
  ];
}

function describeMessage(
  { types }: ReadmeContext,
  title: string,
  { fields }: Message,
): readonly string[] {
  if (fields.length === 0) return [`${title}: nothing.`];
  const rows = fields.map((field) => [
    codeCell(field.jsonName),
    codeCell(render(fieldTypeOf(types, field))),
    field.isOptional ? "" : "yes",
    docsCell(field.docs),
  ]);
  return [`${title}:`, markdownTable(["field", "type", "required", ""], rows)];
}

/** Credentials, whether it may be repeated, errors. */
function listFacts({ contract }: ReadmeContext, method: Method): string {
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
