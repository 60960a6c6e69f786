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
import type { Failure } from "../values/failure.js";
import {
  contractHeader,
  printReason,
  readDigest,
} from "../wire/contract-header.js";

/** The contract of a server, and those of earlier versions. */
export interface ContractHistory {
  /** The header of clients that were made from the current contract. */
  readonly header: string;
  /** Version of the current contract, e.g. `v1.4.0`. */
  readonly version: string;
  /** The earlier contracts. */
  readonly past: readonly PastContract[];
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

/** A change that breaks clients of an earlier contract. */
export interface PastChange {
  readonly text: string;
  /** The version that brought the change. */
  readonly since: string;
  /** Whether the change breaks clients. Otherwise, it may break some. */
  readonly isCertain: boolean;
  readonly side: "request" | "response" | "call";
  /** Place in the request, e.g. `books[].price`. */
  readonly at?: string;
  /** JSON name of the field that changed, if no other field has this name. */
  readonly key?: string;
  /** What the server gets if the change is the reason of a failure. */
  readonly got?: readonly string[];
}

/** An address that no longer exists. */
export interface GoneAddress {
  readonly verb: string;
  readonly path: string;
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
    const reason = known && this.#reasonOf(refusal, request, method, known);
    return reason === null ? refusal : new SkewRefusal(refusal, reason);
  }

  tell(
    response: ServerResponse,
    request: ServerRequest,
    methodOf: () => NamedMethod | null,
  ): ServerResponse {
    const known = this.#differing(request);
    if (known === null) return response;
    const method = known === "unknown" ? null : methodOf();
    const change =
      known !== "unknown" && method !== null
        ? known.changesOf(method).find(({ side }) => side === "response")
        : undefined;
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
    const changes = known
      .changesOf(method)
      .filter(({ side }) => side !== "response");
    if (changes.length === 0) return null;
    const found = findReason(refusal, changes);
    if (found === null) return `${client}, and this server from ${version}`;
    const { change, isProven } = found;
    return isProven
      ? `${client}; ${print(change)}`
      : `${client}, which may be the reason; ${print(change)}`;
  }
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
    changesOf({ name, service }) {
      const key = `${service}.${name}`;
      return Object.hasOwn(methods, key) ? (methods[key] ?? []) : [];
    },
    goneAt({ method, target }) {
      const match = find(pathOf(target), method);
      return match?.endpoint.byVerb.get(method) ?? null;
    },
  };
}

/** Several methods can have had the same address, apart from names. */
function firstOfEach(gone: readonly GoneAddress[]): readonly GoneAddress[] {
  const keyOf = ({ path, verb }: GoneAddress): string =>
    `${verb} ${path.replace(/\{\w+\}/g, "{}")}`;
  const keys = gone.map(keyOf);
  return gone.filter((each, at) => keys.indexOf(keyOf(each)) === at);
}

interface Reason {
  readonly change: PastChange;
  /** Whether the change is the reason, and not only at the same place. */
  readonly isProven: boolean;
}

/** Finds the change that explains a refusal, the surest first. */
function findReason(
  { cause = "", failures }: Refusal,
  changes: readonly PastChange[],
): Reason | null {
  const reasons =
    failures.length === 0
      ? changes
          .filter(({ side }) => side === "call")
          .filter(({ got }) => got?.some((text) => cause.startsWith(text)))
          .map((change) => ({ change, isProven: true }))
      : failures.flatMap((failure) =>
          changes
            .filter((change) => isAt(change, failure))
            .filter(({ got }) => got?.includes(failure.got) ?? true)
            .map((change) => ({ change, isProven: change.got !== undefined })),
        );
  return reasons.find(({ isProven }) => isProven) ?? reasons[0] ?? null;
}

/** Whether a change of requests is at the place of a failure. */
function isAt({ at, key, side }: PastChange, { path }: Failure): boolean {
  if (side !== "request" || at === undefined) return false;
  if (key !== undefined && path.at(-1) === key) return true;
  const steps = at.split(/(?=\[\])|(?=\{)|\./).filter(Boolean);
  return (
    steps.length === path.length &&
    steps.every((step, index) =>
      step === "[]"
        ? typeof path[index] === "number"
        : step.startsWith("{") || step === path[index],
    )
  );
}
