import {
  isRetrieval,
  type ServerRequest,
  type ServerResponse,
} from "../server/model/exchange.js";
import {
  type NamedMethod,
  type Refusal,
  type Skew,
  SkewRefusal,
} from "../server/model/refusal.js";
import { createRoutes, pathOf } from "../server/model/route.js";
import {
  contractHeader,
  printReason,
  readDigest,
} from "../wire/contract-header.js";
import {
  findReason,
  type PastChange,
  type Reason,
} from "../server/skew/find-reason.js";

export type { PastChange, PastPlace } from "../server/skew/find-reason.js";
export type { OldType } from "../server/skew/old-type.js";

/** The contract of a server, and those of earlier versions. */
export interface ContractHistory {
  /** The header of clients that were made from the current contract. */
  readonly header: string;
  /** Version of the current contract, e.g. `v1.4.0`. */
  readonly version: string;
  /** The earlier contracts. */
  readonly past: readonly PastContract[];
  /**
   * Changes that only a setting of the server caused, by method. Their clients
   * have the current contract.
   */
  readonly settings?: Readonly<Record<string, readonly PastChange[]>>;
}

/** An earlier contract. */
export interface PastContract {
  readonly digest: string;
  readonly version: string;
  /** Changes that break clients, by method, e.g. `Shop.GetBook`. */
  readonly methods: Readonly<Record<string, readonly PastChange[]>>;
  /** Addresses that no longer exist. */
  readonly gone: readonly GoneAddress[];
}

/** An address that no longer exists. */
export interface GoneAddress {
  readonly verb: string;
  readonly path: string;
  /** The methods that now receive the calls, e.g. `Shop.Buy`. */
  readonly takers?: readonly string[];
  readonly text: string;
  readonly since: string;
}

/** Prepares what a server knows about contracts. */
export function knowContracts(history: ContractHistory): Skew {
  return new KnownContracts(history);
}

/** An earlier contract, prepared for look-ups. */
interface Known extends Pick<PastContract, "version"> {
  changesOf(method: NamedMethod): readonly PastChange[];
  goneAt(request: ServerRequest): GoneAddress | null;
}

class KnownContracts implements Skew {
  readonly #history: ContractHistory;
  readonly #digest: string | null;
  readonly #past: ReadonlyMap<string, Known>;

  constructor(history: ContractHistory) {
    this.#history = history;
    this.#digest = readDigest(history.header);
    this.#past = new Map(
      history.past.map((each) => [each.digest, prepare(each)]),
    );
  }

  versionOf(request: ServerRequest): string | null {
    const digest = readDigest(request.header(contractHeader));
    if (digest === null) return null;
    const { version } = this.#history;
    if (digest === this.#digest) return version;
    return this.#past.get(digest)?.version ?? "unknown";
  }

  explain(
    refusal: Refusal,
    request: ServerRequest,
    method: NamedMethod | null,
  ): Refusal {
    if (!canDependOnContract(refusal)) return refusal;
    const known = this.#differing(request);
    const reason =
      known === null
        ? this.#settingFor(refusal, request, method)
        : this.#reasonOf(refusal, request, method, known);
    return reason === null ? refusal : new SkewRefusal(refusal, reason);
  }

  tell(
    response: ServerResponse,
    request: ServerRequest,
    methodOf: () => NamedMethod | null,
  ): ServerResponse {
    const known = this.#differing(request);
    const changes = this.#responseChanges(known, request, methodOf);
    if (known === null && changes.length === 0) return response;
    const change = changes.find(({ isCertain }) => isCertain) ?? changes[0];
    const why = change === undefined ? "" : printReason(print(change));
    const vary = [response.headers["vary"], "Webrpc"].filter(Boolean);
    const headers = {
      ...response.headers,
      [contractHeader]: this.#history.header + why,
      // Only these responses are cached.
      ...(isRetrieval(request) && { vary: vary.join(", ") }),
    };
    return { ...response, headers };
  }

  /** Returns null if a client has the same contract, or does not say. */
  #differing(request: ServerRequest): Known | "unknown" | null {
    const digest = readDigest(request.header(contractHeader));
    if (digest === null || digest === this.#digest) return null;
    return this.#past.get(digest) ?? "unknown";
  }

  /**
   * Returns the changes of a method's responses. If the client has the same
   * contract, a setting caused them.
   */
  #responseChanges(
    known: Known | "unknown" | null,
    request: ServerRequest,
    methodOf: () => NamedMethod | null,
  ): readonly PastChange[] {
    const { settings } = this.#history;
    if (known === "unknown" || (known === null && !settings)) return [];
    const method = known === null && !isTelling(request) ? null : methodOf();
    if (method === null) return [];
    const changes =
      known?.changesOf(method) ?? changesIn(settings ?? {}, method);
    return changes.filter(({ side }) => side === "response");
  }

  #reasonOf(
    refusal: Refusal,
    request: ServerRequest,
    method: NamedMethod | null,
    known: Known | "unknown",
  ): string | null {
    const { version } = this.#history;
    if (known === "unknown") {
      return `this client was made from another contract than this server (${version})`;
    }
    const client = `this client was made from ${known.version}`;
    if (method === null) {
      const gone = known.goneAt(request);
      return gone && `${client}; ${print({ ...gone, isCertain: true })}`;
    }
    const changes = requestChanges(known.changesOf(method));
    const found =
      findReason(refusal, request, changes) ??
      findTaken(known.goneAt(request), method);
    if (found !== null) {
      return found.isProven
        ? `${client}; ${print(found)}`
        : `${client}, which may be the reason; ${print(found)}`;
    }
    if (changes.length === 0) return null;
    return `${client}, and this server from ${version}`;
  }

  /** Returns the change of a setting that explains a refusal, or null. */
  #settingFor(
    refusal: Refusal,
    request: ServerRequest,
    method: NamedMethod | null,
  ): string | null {
    const { settings } = this.#history;
    if (settings === undefined || method === null) return null;
    // Other clients do not say that they have the contract.
    if (!isTelling(request)) return null;
    const changes = requestChanges(changesIn(settings, method));
    const found = findReason(refusal, request, changes);
    return found?.isProven === true ? print(found) : null;
  }
}

/**
 * Returns the change of the method that a client meant, if another method now has
 * its address.
 */
function findTaken(
  gone: GoneAddress | null,
  method: NamedMethod,
): Reason | null {
  return gone?.takers?.includes(keyOf(method)) === true
    ? { ...gone, isCertain: true, isProven: false }
    : null;
}

/** Whether a client says which contract it has. */
function isTelling(request: ServerRequest): boolean {
  return readDigest(request.header(contractHeader)) !== null;
}

function requestChanges(changes: readonly PastChange[]): readonly PastChange[] {
  return changes.filter(({ side }) => side !== "response");
}

function keyOf({ name, service }: NamedMethod): string {
  return `${service}.${name}`;
}

function changesIn(
  methods: PastContract["methods"],
  method: NamedMethod,
): readonly PastChange[] {
  const key = keyOf(method);
  return Object.hasOwn(methods, key) ? (methods[key] ?? []) : [];
}

/** Whether a contract can be why a server refuses a request. Load is not one. */
function canDependOnContract({ status }: Refusal): boolean {
  return status < 500 && status !== 429;
}

function print({
  isCertain,
  since,
  text,
}: Pick<PastChange, "isCertain" | "since" | "text">): string {
  return `in ${since}: ${text} (${isCertain ? "breaking" : "may break"})`;
}

function prepare({ gone, methods, version }: PastContract): Known {
  const find = createRoutes(firstOfEach(gone), (each) => each);
  return {
    version,
    changesOf: (method) => changesIn(methods, method),
    goneAt({ method, target }) {
      const match = find(pathOf(target), method);
      return match?.endpoint.byVerb.get(method) ?? null;
    },
  };
}

/** Several methods can have had the same address, apart from names. */
function firstOfEach(gone: readonly GoneAddress[]): readonly GoneAddress[] {
  const shapeOf = ({ path, verb }: GoneAddress): string =>
    `${verb} ${path.replace(/\{\w+\}/g, "{}")}`;
  const shapes = gone.map(shapeOf);
  return gone.filter((each, at) => shapes.indexOf(shapeOf(each)) === at);
}
