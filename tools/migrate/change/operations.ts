import type {
  HostPlan,
  MethodPlan,
  Plan,
  ServicePlan,
} from "../../../generator/4-emit/typescript/plan/plan.js";
import { suggestHelp } from "../../../generator/diagnostics/suggest.js";
import { fieldsAt, type FieldSlot } from "../../../generator/http/slots.js";
import { shapeOfText } from "../../../generator/http/match-addresses.js";
import type { WireAddress } from "../../../generator/http/wire-method.js";

/** A method of a contract with a verb and a path of its own. */
export interface ContractOperation {
  readonly host: HostPlan;
  readonly service: ServicePlan;
  readonly method: MethodPlan;
  readonly address: WireAddress;
}

/** A call by the verb and the path of an OpenAPI document. */
export interface OperationAddress {
  readonly verb: string;
  /** E.g. `/orders/{order-id}`. */
  readonly path: string;
}

/** Where a contract has the paths of an OpenAPI document. */
export interface Base {
  readonly host: HostPlan;
  /**
   * What the contract has before each path, e.g. `/v2`, because the document's
   * server has a path. The base URL of clients lacks it.
   */
  readonly prefix: string;
}

/** Lists the methods that a document can have, in the order of the contract. */
export function listOperations({ hosts }: Plan): readonly ContractOperation[] {
  return hosts.flatMap((host) =>
    host.inbound.flatMap((service) =>
      service.methods.flatMap((method): ContractOperation | [] => {
        const { address } = method.wire;
        const isRest = method.method.route.kind === "rest";
        return isRest && address ? { host, service, method, address } : [];
      }),
    ),
  );
}

/**
 * Returns the host and the prefix with which most calls are methods, or null if
 * less than half of them are.
 */
export function findBase(
  operations: readonly ContractOperation[],
  calls: readonly OperationAddress[],
): Base | null {
  const counts = new Map<HostPlan, Map<string, number>>();
  for (const { path, verb } of calls) {
    const wanted = shapeOfText(path);
    for (const operation of operations) {
      const whole = shapeIn(operation);
      if (operation.address.verb !== verb || !whole.endsWith(wanted)) continue;
      const prefix = whole.slice(0, whole.length - wanted.length);
      const prefixes = counts.get(operation.host) ?? new Map<string, number>();
      counts.set(operation.host, prefixes);
      prefixes.set(prefix, (prefixes.get(prefix) ?? 0) + 1);
    }
  }
  const all = [...counts].flatMap(([host, prefixes]) =>
    Array.from(prefixes, ([prefix, count]) => ({ host, prefix, count })),
  );
  const [best = null] = all.toSorted(
    (left, right) =>
      right.count - left.count || left.prefix.length - right.prefix.length,
  );
  // Calls of another document have a few addresses in common, e.g. `/health`.
  return best !== null && best.count * 2 >= calls.length ? best : null;
}

/** Returns whether the lists in the queries of a host are one parameter. */
export function listForms(
  operations: readonly ContractOperation[],
  { host }: Base,
): ReadonlySet<boolean> {
  return new Set(
    operations
      .filter((each) => each.host === host)
      .flatMap((each) => listsOf(each).map(({ list }) => list === "joined")),
  );
}

/** Returns the JSON names of the lists in a query. */
export function listFieldsOf(
  operation: ContractOperation,
): ReadonlySet<string> {
  return new Set(listsOf(operation).map(({ field }) => field.jsonName));
}

function listsOf(operation: ContractOperation): readonly FieldSlot[] {
  return querySlots(operation).filter(
    ({ field }) => field.type.kind === "list",
  );
}

/** Returns the fields in the query of a method. */
export function querySlots({
  method,
}: Pick<ContractOperation, "method">): readonly FieldSlot[] {
  return fieldsAt(method.wire.request, "query");
}

/** Returns the method at an address, or null if there is none. */
export function findOperation(
  operations: readonly ContractOperation[],
  { host, prefix }: Base,
  { path, verb }: OperationAddress,
): ContractOperation | null {
  const wanted = prefix + shapeOfText(path);
  const found = operations.find(
    (each) =>
      each.host === host &&
      each.address.verb === verb &&
      shapeIn(each) === wanted,
  );
  return found ?? null;
}

/** Returns help that names the address that was probably meant. */
export function suggestAddress(
  operations: readonly ContractOperation[],
  base: Base | null,
  { path, verb }: OperationAddress,
): string | undefined {
  const paths = operations
    .filter(({ host }) => base === null || host === base.host)
    .map(({ address: { template, verb } }) => ({
      verb,
      path: template.text.slice(base?.prefix.length ?? 0),
    }));
  const others = paths.filter(
    (each) => shapeOfText(each.path) === shapeOfText(path),
  );
  if (others.length > 0) {
    const verbs = others.map((each) => `\`${each.verb}\``);
    return `the contract has ${verbs.join(", ")} at this path`;
  }
  const same = paths.filter((each) => each.verb === verb);
  return suggestHelp(
    path,
    same.map((each) => each.path),
  ).help;
}

/** Returns the generated file of a client, in the output folder. */
export function clientFile({ host }: Base): string {
  const { folder } = host.unit;
  return folder === "" ? "client" : `${folder}/client`;
}

function shapeIn({ address }: ContractOperation): string {
  return `/${address.shape}`;
}
