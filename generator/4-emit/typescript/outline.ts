import type { Contract, Host, Message, Service } from "../../ir/contract.js";
import type { EmitOptions } from "../emitter/emitter.js";
import { createPlan } from "./plan/create-plan.js";
import type { HostPlan } from "./plan/plan.js";

/**
 * For each host all that a file outside of its folder depends on, and all of
 * the rest of the contract that its own files do: names, the table of methods,
 * credentials, which shared types it uses and how. Not the fields, limits,
 * values and comments of what its document declares.
 *
 * As long as its outline stays, a change of a host changes the files of its
 * folder alone. Output: plain data, the same for the same.
 */
export function outlineHosts(
  contract: Contract,
  options: EmitOptions,
): ReadonlyMap<Host, unknown> {
  const { credentials, validationError } = contract;
  const { hosts, root } = createPlan(contract, options);
  const shared = root.types.map(({ name }) => name).sort();
  const outline = (plan: HostPlan): unknown => {
    const { exact, host, needed, reached, unit } = plan;
    const isReached = new Set(
      root.types.flatMap((type) =>
        reached.has(type.schemaName) ? type.name : [],
      ),
    );
    const uses = [
      isReached,
      ...Object.values(needed).map(
        (objects) => new Set([...objects].map(({ name }) => name)),
      ),
    ];
    return {
      host: { ...host, services: host.services.map(outlineService) },
      exact,
      types: unit.types.map(({ kind, schemaName }) => [kind, schemaName]),
      // What files at the root hold because this host needs it.
      shared: uses.map((use) => shared.filter((name) => use.has(name))),
      credentials,
      validationError,
    };
  };
  return new Map(hosts.map((plan) => [plan.host, outline(plan)]));
}

function outlineService({ methods, ...service }: Service): unknown {
  return {
    ...service,
    methods: methods.map(({ docs: _, request, response, ...method }) => ({
      ...method,
      request: outlineMessage(request),
      response: outlineMessage(response),
    })),
  };
}

function outlineMessage({ fields, ...message }: Message): unknown {
  return { ...message, isEmpty: fields.length === 0 };
}
