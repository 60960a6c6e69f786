import type { Interceptor } from "@ridlkit/runtime/server";

import type { RateLimiter } from "./rate-limiter.js";
import type { PlatformState } from "./state.js";

/**
 * Limits the request rate of each client address for methods that need no key.
 *
 * Input: the header that contains the address. Requests without it count as one
 * client.
 */
export function limitKeyless(
  limiter: RateLimiter,
  addressHeader: string,
): Interceptor<PlatformState> {
  return (next) => async (call) => {
    const { context } = call;
    const isKeyless = context.state.project === null;
    if (isKeyless) await limiter.take(context.header(addressHeader) ?? "");
    return next(call);
  };
}
