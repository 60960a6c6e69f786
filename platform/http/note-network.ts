import { createKey, type Interceptor } from "@ridlkit/runtime/server";

import type { Network, Networks } from "../network/networks.js";

/** The handle of the network that a call is about, for observers of requests. */
export const networkKey = createKey<string>("network");

/** The fields of the contract's messages that name the network of a call. */
const fields = ["network", "chainId", "chainID", "signatureChainId"];

/**
 * Creates an interceptor that notes the network of each call.
 *
 * Input: `served` is the only network of the server; null if its calls name
 * their networks in the path or in the message.
 */
export function noteNetwork<State>(
  networks: Networks,
  served: Network | null,
): Interceptor<State> {
  return (next) => (call) => {
    const { context, request } = call;
    const named = { ...Object(request), ...context.parameters };
    const field = fields.find((name) => named[name] !== undefined) ?? "";
    const network = served ?? networks.find(String(named[field]));
    if (network !== null) context.set(networkKey, network.handle);
    return next(call);
  };
}
