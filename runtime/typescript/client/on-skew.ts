import type { ClientCall, ClientInterceptor, Fetch } from "./call.js";
import { quietly } from "../values/quietly.js";
import { createTransportError, TransportError } from "./transport-error.js";
import {
  contractHeader,
  readDigest,
  readReason,
  readVersion,
} from "../wire/contract-header.js";

/** A server that was made from another contract than the client. */
export interface ContractSkew {
  /** Version of the client's contract, e.g. `v1.3.0`. */
  readonly clientVersion: string;
  /** Version of the server's contract, e.g. `v1.4.0`. */
  readonly serverVersion: string;
  /**
   * A change of the method's responses that breaks the client, if there is one
   * and the server knows the client's contract.
   */
  readonly change: string | null;
  /** The error that the call throws, or null if it succeeded. */
  readonly error: unknown;
}

/**
 * Reports calls of servers that were made from another contract. Errors about
 * invalid responses then say so in their `cause`. List it before
 * `checkResponses`. Errors that the function throws are ignored.
 *
 * It needs the setting `skew` for both the client and the server.
 *
 * Example: `use: [onSkew(() => offerReload())]`.
 */
export function onSkew(
  report: (skew: ContractSkew, call: ClientCall) => void = () => {},
): ClientInterceptor {
  return (next) => async (call) => {
    let found: Found | null = null;
    const watched: Fetch = async (url, init) => {
      const response = await (call.fetch ?? fetch)(url, init);
      found = compare(
        new Headers(init.headers).get(contractHeader),
        response.headers.get(contractHeader),
      );
      return response;
    };
    const tell = (error: unknown): unknown => {
      if (found === null) return error;
      const { isSame, ...versions } = found;
      const skew = { ...versions, error: explain(error, found) };
      // A newer client would have the same contract.
      if (!isSame) quietly(() => report(skew, call));
      return skew.error;
    };
    try {
      const response = await next({ ...call, fetch: watched });
      tell(null);
      return response;
    } catch (error) {
      throw tell(error);
    }
  };
}

/** What the headers of a request and its response say. */
interface Found extends Omit<ContractSkew, "error"> {
  /** Whether both sides have the same contract, so that a setting changed. */
  readonly isSame: boolean;
}

/** Returns null unless both sides say which contracts they have. */
function compare(sent: string | null, received: string | null): Found | null {
  const clientVersion = readVersion(sent);
  const serverVersion = readVersion(received);
  if (clientVersion === null || serverVersion === null) return null;
  const isSame = readDigest(sent) === readDigest(received);
  const change = readReason(received);
  return { clientVersion, serverVersion, change, isSame };
}

/** Adds the contracts to an error about an invalid response. */
function explain(error: unknown, found: Found): unknown {
  if (!(error instanceof TransportError) || error.reason !== "bad-response")
    return error;
  const text = String(error.cause);
  const reason = reasonFor(text, found);
  if (reason === null) return error;
  const cause = `${text}; ${reason}`;
  return createTransportError("bad-response", { cause }, error.status);
}

function reasonFor(
  cause: string,
  { change, clientVersion, isSame, serverVersion }: Found,
): string | null {
  const versions = isSame
    ? "a setting of the server changed"
    : `the contracts differ: this client was made from ${clientVersion}, and the server from ${serverVersion}`;
  // The setting is `int64`, and the value an integer that was rounded.
  if (isSame && (change === null || !cause.includes(", got about ")))
    return null;
  return change === null
    ? versions
    : `${versions}, which may be the reason; ${change}`;
}
