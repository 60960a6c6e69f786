import type { Contract } from "../../../generator/ir/contract.js";
import { omitUnused } from "../../../generator/values/filter-contract.js";
import type { Change } from "./facts/change.js";
import { pairContracts } from "./facts/pair-contracts.js";
import type { PlacedMethod } from "./facts/paired-contracts.js";
import type { Pair } from "./facts/pairing.js";
import type { CodeModes } from "./facts/value.js";
import { findChangesIn } from "./index.js";

/** A method of the old contract, and what has changed for its clients. */
export interface MethodChanges {
  readonly before: PlacedMethod;
  /** The same method in the new contract, or null if it was removed. */
  readonly after: PlacedMethod | null;
  /**
   * The changes of this method alone, once for each place. Empty if it was
   * removed.
   */
  readonly changes: readonly Change[];
}

/**
 * Compares two contracts method by method. Unlike `findChanges`, it returns a
 * change of a shared type once for each place in each method that uses the type.
 *
 * Webhooks are left out. Input: as for `findChanges`.
 */
export function findMethodChanges(
  before: Contract,
  after: Contract,
  modes: CodeModes,
  modesBefore: CodeModes,
): readonly MethodChanges[] {
  const { methods } = pairContracts(before, after, {
    before: modesBefore,
    after: modes,
  });
  const kept = new Map(
    methods.kept.map((pair) => [pair.before.method, pair.after]),
  );
  return placedIn(before).map((placed) => {
    const now = kept.get(placed.method) ?? null;
    const changes = now
      ? findPlacedChanges(partOf(before, placed), partOf(after, now), {
          before: modesBefore,
          after: modes,
        })
      : [];
    return { before: placed, after: now, changes };
  });
}

/** Returns each change once for each place where messages have it. */
function findPlacedChanges(
  before: Contract,
  after: Contract,
  modes: Pair<CodeModes>,
): readonly Change[] {
  const contracts = pairContracts(before, after, modes, "every");
  return findChangesIn(contracts, ({ field = "", path = "" }) =>
    JSON.stringify([path, field]),
  );
}

/** Lists the methods that clients call. */
function placedIn({ hosts }: Contract): readonly PlacedMethod[] {
  return hosts.flatMap((host) =>
    host.services
      .filter(({ direction }) => direction === "inbound")
      .flatMap((service) =>
        service.methods.map((method): PlacedMethod => {
          const place = { host: host.name, service: service.name };
          const names = { ...place, method: method.name };
          return { host, method, subject: { kind: "method", ...names } };
        }),
      ),
  );
}

/** Returns a contract with only one method. */
function partOf(
  contract: Contract,
  { host, method, subject }: PlacedMethod,
): Contract {
  const services = host.services
    .filter(({ name }) => name === subject.service)
    .map((service) => ({ ...service, methods: [method] }));
  return omitUnused({ ...contract, hosts: [{ ...host, services }] });
}
