import { markdownCode, markdownText } from "../4-emit/origins/markdown.js";
import type { View } from "../4-emit/templates.js";
import type {
  MessagePlan,
  MethodPlan,
  ServicePlan,
} from "../4-emit/typescript/plan/plan.js";
import { fieldTypeOf } from "../4-emit/typescript/plan/type-text.js";
import { render } from "../4-emit/typescript/text/format.js";
import { cellOf, codeCell, paragraphsOf } from "./markdown-docs.js";
import type { ReadmeContext } from "./readme-context.js";
import { callExample } from "./readme-examples.js";

/** What the README says about a method. */
export function describeMethod(
  context: ReadmeContext,
  service: ServicePlan,
  plan: MethodPlan,
): View {
  const { names, request, response } = plan;
  const { deprecated, docs } = plan.method;
  const { property } = service.names;
  return {
    title: markdownCode(`${property}.${names.property}`),
    about: paragraphsOf(docs),
    deprecated:
      deprecated === null ? "" : markdownText(deprecated) || "Do not use it.",
    example: callExample(context, service, plan),
    messages: [
      describeMessage(context, "Request", request),
      describeMessage(
        context,
        response.message.isStream ? "Each item" : "Response",
        response,
      ),
    ],
    facts: factsOf(plan),
  };
}

function describeMessage(
  { imports }: ReadmeContext,
  title: string,
  { object }: MessagePlan,
): View {
  return {
    title,
    fields: object.fields.map((plan) => ({
      name: codeCell(plan.field.jsonName),
      type: codeCell(render(fieldTypeOf(imports, plan))),
      required: plan.field.isOptional ? "" : "yes",
      about: cellOf(plan.field.docs),
    })),
  };
}

/** Credentials, whether it may be repeated, errors. */
function factsOf({ credentials, method }: MethodPlan): string {
  const { errors, safety } = method;
  const headers = credentials.map(({ header }) => markdownCode(header));
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
