import type { Contract, Host } from "../../../../generator/ir/contract.js";
import { valuesOf } from "../../../../generator/values/value.js";
import { wireOf } from "../../../../generator/http/wire-of.js";
import type {
  DataError,
  PairedContracts,
  PlacedMethod,
  PlacedService,
} from "./paired-contracts.js";
import type { CodeModes } from "./value.js";
import { pairWire } from "./pair-wire.js";
import { mapPair, type Pair, type Pairing, pairBy } from "./pairing.js";
import type { Reach } from "./visits.js";

/**
 * Pairs the declarations of two contracts.
 *
 * Input: `reach` is whether types are compared at their first place only.
 */
export function pairContracts(
  before: Contract,
  after: Contract,
  modes: Pair<CodeModes>,
  reach: Reach = "first",
): PairedContracts {
  const hosts = pairHosts(before.hosts, after.hosts);
  const services = pairServices(hosts);
  const methods = pairMovedReads(
    joinPairings(services.kept.map(pairMethods)),
    services,
    hosts,
  );
  const types = pairBy(before.types, after.types, ({ name }) => name);
  const errors = pairBy(before.errors, after.errors, ({ name }) => name);
  const values = { before: valuesOf(before), after: valuesOf(after) };
  const wire = {
    methods: methods.kept,
    types: types.kept,
    errors: [
      ...errors.kept,
      ...hosts.kept.map((pair) => mapPair(pair, builtInError)),
    ],
  };
  return {
    before,
    after,
    modes,
    hosts,
    services,
    methods,
    types,
    errors,
    credentials: pairBy(
      before.credentials,
      after.credentials,
      ({ name }) => name,
    ),
    ...pairWire(values, wire, modes, reach),
  };
}

/** Returns one of the built-in errors, which have the body of the host. */
function builtInError({ errorBody }: Host): DataError {
  return { name: "WebrpcBadRequest", data: errorBody?.struct ?? null };
}

/**
 * Pairs hosts by name, or else by a common service, because clients do not see
 * the name. If each contract has only one host, these are paired.
 */
export function pairHosts(
  before: readonly Host[],
  after: readonly Host[],
): Pairing<Host> {
  const isSingle = before.length === 1 && after.length === 1;
  const byName = pairBy(before, after, ({ name }) => (isSingle ? "" : name));
  const then = new Set(byName.removed.flatMap(serviceNames));
  const now = new Set(byName.added.flatMap(serviceNames));
  const renamed = pairBy(byName.removed, byName.added, (host) => {
    const known = serviceNames(host).filter(
      (name) => then.has(name) && now.has(name),
    );
    return known.toSorted()[0] ?? `host ${host.name}`;
  });
  return { ...renamed, kept: [...byName.kept, ...renamed.kept] };
}

function serviceNames({ services }: Host): readonly string[] {
  return services.map(({ name }) => name);
}

function pairServices(hosts: Pairing<Host>): Pairing<PlacedService> {
  const kept = hosts.kept.map(({ before, after }) =>
    pairRenamedWebhooks(
      pairBy(placeServices(before), placeServices(after), nameOfService),
    ),
  );
  const gone = hosts.removed.flatMap(placeServices);
  const come = hosts.added.flatMap(placeServices);
  return joinPairings([...kept, { kept: [], removed: gone, added: come }]);
}

/**
 * Pairs webhook services by their events, because service names are not sent.
 */
function pairRenamedWebhooks({
  kept,
  removed,
  added,
}: Pairing<PlacedService>): Pairing<PlacedService> {
  const isSingle = [removed, added].every(
    (services) => services.filter(isOutbound).length === 1,
  );
  const renamed = pairBy(
    removed.filter(isOutbound),
    added.filter(isOutbound),
    // If each side has one such service, these are paired regardless of their
    // events.
    ({ service }) =>
      isSingle ? "" : service.methods.map(({ name }) => name).join(),
  );
  return {
    kept: [...kept, ...renamed.kept],
    removed: [
      ...removed.filter((each) => !isOutbound(each)),
      ...renamed.removed,
    ],
    added: [...added.filter((each) => !isOutbound(each)), ...renamed.added],
  };
}

function isOutbound({ service }: PlacedService): boolean {
  return service.direction === "outbound";
}

function placeServices(host: Host): readonly PlacedService[] {
  return host.services.map((service) => ({
    host,
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

/**
 * Pairs REST methods by verb and path, because neither their names nor their services are
 * on the wire. For removed and new services, only moved reads are listed.
 */
function pairMovedReads(
  { kept, removed, added }: Pairing<PlacedMethod>,
  services: Pairing<PlacedService>,
  hosts: Pairing<Host>,
): Pairing<PlacedMethod> {
  const readsOf = (
    host: Host,
    methods: readonly PlacedMethod[],
    others: readonly PlacedService[],
  ) =>
    [...methods, ...others.flatMap(placeMethods)].filter(
      (placed) => isRead(placed) && placed.subject.host === host.name,
    );
  const moved = hosts.kept.flatMap(
    ({ before, after }) =>
      pairBy(
        readsOf(before, removed, services.removed),
        readsOf(after, added, services.added),
        keyOfRead,
      ).kept,
  );
  const isMoved = (placed: PlacedMethod): boolean =>
    moved.some(
      ({ before, after }) =>
        before.method === placed.method || after.method === placed.method,
    );
  return {
    kept: [...kept, ...moved],
    removed: removed.filter((placed) => !isMoved(placed)),
    added: added.filter((placed) => !isMoved(placed)),
  };
}

function isRead({ method }: PlacedMethod): boolean {
  // Methods that only clients have can share an address.
  return method.route.kind === "rest" && !method.isClientOnly;
}

function keyOfRead({ method }: PlacedMethod): string {
  const isRest = method.route.kind === "rest";
  return (isRest && wireOf(method).address?.key) || "";
}

function placeMethods({
  host,
  service,
  subject,
}: PlacedService): readonly PlacedMethod[] {
  return service.methods.map((method) => ({
    host,
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
