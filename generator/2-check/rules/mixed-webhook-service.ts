import { findAnnotation } from "../notation/annotations.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** A service is called by clients, or calls them: not both. */
export const mixedWebhookService: Rule = ({ nodes }) =>
  nodes.services.flatMap(({ syntax, document }) => {
    const first = syntax.methods.find((each) =>
      findAnnotation(each, "webhook"),
    );
    const others = syntax.methods.filter(
      (each) => !findAnnotation(each, "webhook"),
    );
    if (first === undefined) return [];
    return others.map(({ name }) =>
      reportError(
        "mixed-webhook-service",
        locate(document, name),
        `\`${name.text}\` is no webhook, but other methods of \`${syntax.name.text}\` are`,
        {
          related: [relate(document, first.name, "this one is a webhook")],
          help: "move the webhooks into a service of their own",
        },
      ),
    );
  });
