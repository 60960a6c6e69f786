import type { Contract, Host } from "../ir/contract.js";
import { createIndex } from "../ir/resolve.js";
import type {
  PairedContracts,
  PlacedMethod,
  PlacedService,
} from "./paired-contracts.js";
import { pairWire } from "./pair-wire.js";
import type { Pair, Pairing } from "./pairing.js";
import { pairBy } from "./pairing.js";

/** Puts two contracts side by side. */
export function pairContracts(
  before: Contract,
  after: Contract,
): PairedContracts {
  const hosts = pairHosts(before.hosts, after.hosts);
  const services = pairServices(hosts);
  const methods = joinPairings(services.kept.map(pairMethods));
  const indexes = { before: createIndex(before), after: createIndex(after) };
  return {
    before,
    after,
    hosts,
    services,
    methods,
    types: pairBy(before.types, after.types, ({ name }) => name),
    errors: pairBy(before.errors, after.errors, ({ name }) => name),
    credentials: pairBy(
      before.credentials,
      after.credentials,
      ({ name }) => name,
    ),
    ...pairWire(indexes, methods.kept),
  };
}

/** By name; where each contract has but one host, that is the same one. */
function pairHosts(
  before: readonly Host[],
  after: readonly Host[],
): Pairing<Host> {
  const [then, ...others] = before;
  const [now, ...more] = after;
  if (then && now && others.length === 0 && more.length === 0) {
    return { kept: [{ before: then, after: now }], removed: [], added: [] };
  }
  return pairBy(before, after, ({ name }) => name);
}

function pairServices(hosts: Pairing<Host>): Pairing<PlacedService> {
  const kept = hosts.kept.map(({ before, after }) =>
    pairBy(placeServices(before), placeServices(after), nameOfService),
  );
  const gone = hosts.removed.flatMap(placeServices);
  const come = hosts.added.flatMap(placeServices);
  return joinPairings([...kept, { kept: [], removed: gone, added: come }]);
}

function placeServices(host: Host): readonly PlacedService[] {
  return host.services.map((service) => ({
    service,
    subject: { kind: "service", host: host.name, service: service.name },
  }));
}

function nameOfService({ service }: PlacedService): string {
  return service.name;
}

function pairMethods({
  before,
  after,
}: Pair<PlacedService>): Pairing<PlacedMethod> {
  return pairBy(
    placeMethods(before),
    placeMethods(after),
    ({ method }) => method.name,
  );
}

function placeMethods({
  service,
  subject,
}: PlacedService): readonly PlacedMethod[] {
  return service.methods.map((method) => ({
    method,
    subject: { ...subject, kind: "method", method: method.name },
  }));
}

function joinPairings<Thing>(
  pairings: readonly Pairing<Thing>[],
): Pairing<Thing> {
  return {
    kept: pairings.flatMap(({ kept }) => kept),
    removed: pairings.flatMap(({ removed }) => removed),
    added: pairings.flatMap(({ added }) => added),
  };
}
