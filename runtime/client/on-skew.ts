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
    let found: Omit<ContractSkew, "error"> | null = null;
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
      const skew = { ...found, error: explain(error, found) };
      quietly(() => report(skew, call));
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

/** Returns null unless both sides say that they have different contracts. */
function compare(
  sent: string | null,
  received: string | null,
): Omit<ContractSkew, "error"> | null {
  const clientVersion = readVersion(sent);
  const serverVersion = readVersion(received);
  if (clientVersion === null || serverVersion === null) return null;
  if (readDigest(sent) === readDigest(received)) return null;
  return { clientVersion, serverVersion, change: readReason(received) };
}

/** Adds the contracts to an error about an invalid response. */
function explain(
  error: unknown,
  { change, clientVersion, serverVersion }: Omit<ContractSkew, "error">,
): unknown {
  if (!(error instanceof TransportError) || error.reason !== "bad-response")
    return error;
  const versions = `the contracts differ: this client was made from ${clientVersion}, and the server from ${serverVersion}`;
  const reason =
    change === null
      ? versions
      : `${versions}, which may be the reason; ${change}`;
  const cause = `${String(error.cause)}; ${reason}`;
  return createTransportError("bad-response", { cause }, error.status);
}
