import type {
  HostPlan,
  MethodPlan,
  Plan,
  ServicePlan,
} from "../../../generator/4-emit/typescript/plan/plan.js";
import {
  type NamedProcedure,
  nameProcedures,
} from "../../import/trpc/name-procedures.js";
import { groupBy } from "../../../generator/ir/group-by.js";
import type { Base } from "../change/operations.js";
import type { OldCall } from "../change/uses.js";
import { pathsOf } from "./declarations.js";

/** The method of a procedure. */
export interface ProcedureMethod {
  readonly service: ServicePlan;
  readonly method: MethodPlan;
}

/** Returns the host with methods for most calls of a client, or null. */
export function findBase(plan: Plan, calls: readonly OldCall[]): Base | null {
  const counts = plan.hosts.map((host) => ({
    host,
    count: calls.filter(
      ({ address, document }) =>
        findMethod(host, document, address.path) !== null,
    ).length,
  }));
  const [best] = counts.toSorted((left, right) => right.count - left.count);
  return best !== undefined && best.count * 2 >= calls.length
    ? { host: best.host, prefix: "" }
    : null;
}

const known = new WeakMap<
  HostPlan,
  Map<string, ReadonlyMap<string, ProcedureMethod>>
>();

/** Returns the method of a procedure of a client with some procedures, or null. */
export function findMethod(
  host: HostPlan,
  document: string,
  path: string,
): ProcedureMethod | null {
  const documents = known.get(host) ?? new Map();
  known.set(host, documents);
  const methods = documents.get(document) ?? listMethods(host, document);
  documents.set(document, methods);
  return methods.get(path) ?? null;
}

/** Finds the methods of procedures by the names that the import gives them. */
function listMethods(
  { inbound }: HostPlan,
  document: string,
): ReadonlyMap<string, ProcedureMethod> {
  // By itself, each procedure has the name that it wishes.
  const names = pathsOf(document).flatMap((path) => nameProcedures([path], ""));
  const byName = groupBy(names, ({ method, service }) =>
    `${service}.${method}`.toLowerCase(),
  );
  // Which of two procedures gets a name depends on their order.
  const sure = [...byName.values()].flatMap((all) =>
    all.length === 1 ? all : [],
  );
  const groups = groupBy(sure, ({ path }) =>
    path.split(".").slice(0, -1).join("."),
  );
  const wished = new Set(
    names.flatMap(({ path, service }) => (path.includes(".") ? service : [])),
  );
  // People can rename services, and the main one has the name of a file.
  const others = inbound.filter(({ service }) => !wished.has(service.name));
  return new Map(
    [...groups].flatMap(([group, all]) => {
      const own = inbound.find(
        ({ service }) => group !== "" && service.name === all[0]?.service,
      );
      const candidates = others.filter((each) =>
        all.every((named) => methodOf(each, named) !== null),
      );
      const [other] = candidates.length === 1 ? candidates : [];
      const service = own ?? other;
      return service === undefined ? [] : pairsOf(service, all);
    }),
  );
}

function pairsOf(
  service: ServicePlan,
  names: readonly NamedProcedure[],
): readonly (readonly [string, ProcedureMethod])[] {
  return names.flatMap((named) => {
    const method = methodOf(service, named);
    return method === null ? [] : [[named.path, { service, method }] as const];
  });
}

function methodOf(
  { methods }: ServicePlan,
  named: NamedProcedure,
): MethodPlan | null {
  return methods.find(({ method }) => method.name === named.method) ?? null;
}
