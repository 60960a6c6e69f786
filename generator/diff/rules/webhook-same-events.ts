import type { Service } from "../../ir/contract.js";
import { listNames } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";
import { printType } from "../facts/wire-kind.js";

/**
 * The header that names an event is sent where a service has several, and looked
 * at where the receiver knows several.
 */
export const webhookSameEvents: BreakingRule = {
  code: "webhook-same-events",
  find: ({ services }) =>
    services.kept
      .filter(({ after }) => after.service.direction === "outbound")
      .flatMap(({ before, after }) => {
        const [then, now] = [before, after].map(({ service }) =>
          service.methods.map(({ name }) => name),
        );
        if (!then || !now || then.toSorted().join() === now.toSorted().join()) {
          return [];
        }
        if (then.length > 1 && now.length > 1) return [];
        return [
          {
            effects: {
              wire: isTakenForOther(before.service, after.service)
                ? "error"
                : "danger",
              "wire-strict": "error",
            },
            message: `\`${after.service.name}\` sent ${listNames(then)}, and now sends ${listNames(now)}: a receiver of a single event cannot tell them apart`,
            before: before.subject,
            after: after.subject,
            help: "put the event into another service",
          },
        ];
      }),
};

/**
 * Whether old receivers may take another event for theirs. One that knows several
 * refuses what does not say which it is.
 */
function isTakenForOther(before: Service, after: Service): boolean {
  const [only, ...others] = before.methods;
  if (only === undefined || others.length > 0) return true;
  const needed = only.request.fields.filter(({ isOptional }) => !isOptional);
  return after.methods
    .filter(({ name }) => name !== only.name)
    .some(({ request }) =>
      needed.every(({ jsonName, type }) =>
        request.fields.some(
          (field) =>
            field.jsonName === jsonName &&
            printType(field.type) === printType(type),
        ),
      ),
    );
}
