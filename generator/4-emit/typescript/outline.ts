import type { Contract, Host, Message, Service } from "../../ir/contract.js";
import { createIndex } from "../../ir/resolve.js";
import type { EmitOptions } from "../emitter.js";
import { exactSidesOf } from "./codecs/exact-integers.js";
import { createWanted } from "./codecs/wanted.js";
import { createLayout } from "./names/layout.js";
import { reachableFrom } from "./validators/reachable.js";

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
  const { credentials, hosts, validationError } = contract;
  const { names, root, unitOfHost } = createLayout(contract, options);
  const index = createIndex(contract);
  const wanted = createWanted(contract, options);
  const shared = root.types.map(({ name }) => names.type(name)).sort();
  const outline = (host: Host): unknown => {
    const reached = [...reachableFrom(host, index)].map(names.type);
    const uses = [new Set(reached), ...Object.values({ ...wanted.get(host) })];
    return {
      host: { ...host, services: host.services.map(outlineService) },
      exact: exactSidesOf(index, options, [host]),
      types: unitOfHost(host).types.map(({ kind, name }) => [kind, name]),
      // What files at the root hold because this host needs it.
      shared: uses.map((use) => shared.filter((name) => use.has(name))),
      credentials,
      validationError,
    };
  };
  return new Map(hosts.map((host) => [host, outline(host)]));
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
