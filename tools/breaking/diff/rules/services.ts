import { listNames } from "../../../../generator/diagnostics/names.js";
import type {
  Method,
  Service,
  TypeReference,
} from "../../../../generator/ir/contract.js";
import { valuesOf } from "../../../../generator/values/value.js";
import { breaksCallers, breaksCode, breaksReceivers } from "../facts/change.js";
import type { PairedContracts } from "../facts/paired-contracts.js";
import { type BreakingRules, rulesAboutKept } from "../facts/rule.js";
import { effectsOfNew } from "../facts/shared-paths.js";
import { wireKindOf } from "../facts/value.js";

const keptService = rulesAboutKept(
  ({ services }) => services.kept,
  ({ subject }) => subject,
);

/** Rules about services. The name of a service is part of its address. */
export const serviceRules = {
  "service-no-delete": ({ hosts, methods, services: { removed } }) =>
    removed.map(({ service, subject }) => {
      const isKept = (method: Method): boolean =>
        methods.kept.some(({ before }) => before.method === method);
      const host = hosts.kept.find(
        ({ before }) => before.name === subject.host,
      );
      return {
        effects: service.methods.every(isKept)
          ? breaksCode
          : service.direction === "outbound"
            ? breaksReceivers
            : breaksCallers,
        message: `service \`${service.name}\` was removed`,
        before: subject,
        after: host ? { kind: "host", host: host.after.name } : null,
        help: "mark its methods `@deprecated`, and keep it until no client calls them",
      };
    }),

  "service-added": (contracts) =>
    contracts.services.added
      .filter(({ service }) => service.direction === "inbound")
      .map(({ host, service, subject }) => ({
        effects: effectsOfNew(
          service.methods.map((method) => ({
            host,
            method,
            subject: { ...subject, kind: "method", method: method.name },
          })),
          contracts,
        ),
        message: `service \`${service.name}\` is new`,
        before: null,
        after: subject,
        help: "release the server before clients that call it",
      })),

  // Only services of webhooks are paired despite different names.
  "service-same-name": keptService(
    ({ before: { service: before }, after: { service: after } }) =>
      before.name !== after.name && {
        effects: breaksCode,
        message: `service \`${before.name}\` was renamed to \`${after.name}\``,
        help: "keep its name: generated functions are named after it",
      },
  ),

  // The header that names an event is sent only if the service has several
  // events. Receivers of a single event do not require it.
  "webhook-same-events": keptService(({ before, after }, contracts) => {
    if (after.service.direction !== "outbound") return false;
    const then = before.service.methods.map(({ name }) => name);
    const now = after.service.methods.map(({ name }) => name);
    const isSame = then.toSorted().join() === now.toSorted().join();
    if (isSame || (then.length > 1 && now.length > 1)) return false;
    return {
      effects: {
        ...(now.length === 1 && {
          wire: isMistakenForOther(before.service, after.service, contracts)
            ? "error"
            : "danger",
        }),
        "wire-strict": "error",
      },
      message: `\`${after.service.name}\` sent ${listNames(then)} and now sends ${listNames(now)}; messages name their event only if there are several`,
      help: "put the new event in a separate service",
    };
  }),
} satisfies BreakingRules;

/**
 * Whether old receivers mishandle new messages. A receiver of one event may
 * mistake another event for its own, and a receiver of several events rejects a
 * message that does not name its event.
 */
function isMistakenForOther(
  before: Service,
  after: Service,
  contracts: PairedContracts,
): boolean {
  const [only, ...others] = before.methods;
  if (only === undefined || others.length > 0) return true;
  const then = valuesOf(contracts.before);
  const now = valuesOf(contracts.after);
  const mayFit = (one: TypeReference, other: TypeReference): boolean => {
    const kinds = new Set([
      wireKindOf(then.valueOf(one)),
      wireKindOf(now.valueOf(other)),
    ]);
    return kinds.size === 1 || kinds.has("any");
  };
  const needed = only.request.fields.filter(({ isOptional }) => !isOptional);
  return after.methods.some(({ request }) =>
    needed.every(({ jsonName, type }) =>
      request.fields.some(
        (field) => field.jsonName === jsonName && mayFit(type, field.type),
      ),
    ),
  );
}
