import type {
  MessagePlan,
  MethodPlan,
  ServicePlan,
} from "../4-emit/typescript/plan/plan.js";
import { fieldTypeOf } from "../4-emit/typescript/plan/type-text.js";
import { render } from "../4-emit/typescript/text/format.js";
import { docsCell, markdownDocs } from "../4-emit/markdown/markdown-docs.js";
import {
  codeCell,
  markdownCode,
  markdownTable,
  markdownText,
  typeScriptBlock,
} from "../4-emit/markdown/markdown-text.js";
import type { ReadmeContext } from "./readme-context.js";
import { callExample } from "./readme-examples.js";

/** Returns paragraphs about a method. */
export function describeMethod(
  context: ReadmeContext,
  service: ServicePlan,
  plan: MethodPlan,
): readonly string[] {
  const { method, names, request, response } = plan;
  const { deprecated, docs } = method;
  const path = `${service.names.property}.${names.property}`;
  const instead = markdownText(deprecated ?? "") || "Do not use it.";
  return [
    `### ${markdownCode(path)}`,
    deprecated === null ? "" : `**Deprecated.** ${instead}`,
    markdownDocs(docs),
    typeScriptBlock(callExample(service, plan)),
    ...describeMessage(context, "Request", request),
    ...describeMessage(
      context,
      response.message.isStream ? "Each item" : "Response",
      response,
    ),
    listFacts(plan),
  ];
}

function describeMessage(
  { imports }: ReadmeContext,
  title: string,
  { object: { fields } }: MessagePlan,
): readonly string[] {
  if (fields.length === 0) return [`${title}: nothing.`];
  const rows = fields.map((plan) => [
    codeCell(plan.field.jsonName),
    codeCell(render(fieldTypeOf(imports, plan))),
    plan.field.isOptional ? "" : "yes",
    docsCell(plan.field.docs),
  ]);
  return [`${title}:`, markdownTable(["field", "type", "required", ""], rows)];
}

/** Lists credentials, whether a call can be repeated, and errors. */
function listFacts({ credentials, method }: MethodPlan): string {
  const { errors, safety } = method;
  const headers = credentials.map(({ header }) => markdownCode(header));
  const named = (errors ?? []).map(markdownCode).join(", ");
  const sentences = [
    headers.length > 0 ? `Requires ${headers.join(" and ")}.` : "",
    safety === "readonly" ? "Has no side effects." : "",
    safety === "idempotent" ? "Can be retried safely." : "",
    errors === null
      ? "Errors: any of the errors below."
      : `Errors: ${named === "" ? "only built-in errors" : named}.`,
  ];
  return sentences.filter((text) => text !== "").join(" ");
}
