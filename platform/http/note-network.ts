import { createKey, type Interceptor } from "@ridlkit/runtime/server";

import type { Network, Networks } from "../network/networks.js";
import { readTraceId } from "../tracing/spans.js";

/**
 * The handle of the network that a call refers to, for observers of requests.
 */
export const networkKey = createKey<string>("network");

/** The ID of the trace that a call is part of. */
export const traceKey = createKey<string>("trace");

/** The message fields that name the network of a call. */
const fields = ["network", "chainId", "chainID", "signatureChainId"];

/**
 * Creates an interceptor that records the network and the trace of each call.
 *
 * Input: `served` is the only network of the server, or null if its calls name
 * their networks in the message.
 */
export function noteNetwork<State>(
  networks: Networks,
  served: Network | null,
): Interceptor<State> {
  return (next) => (call) => {
    const network = served ?? findNetwork(networks, call.request);
    if (network !== null) call.context.set(networkKey, network.handle);
    const traceId = readTraceId();
    if (traceId !== null) call.context.set(traceKey, traceId);
    return next(call);
  };
}

/** Returns the known network that a message names, or null if there is none. */
function findNetwork(networks: Networks, request: unknown): Network | null {
  const named = Object(request);
  const field = fields.find((name) => named[name] !== undefined);
  return field === undefined ? null : networks.find(String(named[field]));
}
