import type { ClientInterceptor } from "./call.js";
import { memberOf } from "../values/member.js";

/** When credentials are taken for stale. */
export interface RefreshOptions {
  /** Which errors mean so; those with status 401 unless given. */
  readonly isStale?: (error: unknown) => boolean;
}

/**
 * Renews credentials once when a call is refused with 401, and makes it again.
 * Calls that are refused at the same time wait for one and the same renewal.
 * The method has not run then, so it need not be idempotent.
 *
 * Example: `credentials: { secret: () => session.token }` and
 * `use: [refreshCredentials(() => session.renew())]`.
 * Errors: what `refresh` throws; the error of the second attempt.
 */
export function refreshCredentials(
  refresh: () => unknown,
  { isStale = isUnauthorized }: RefreshOptions = {},
): ClientInterceptor {
  let running: Promise<unknown> | null = null;
  let renewals = 0;
  const renew = async (): Promise<void> => {
    await refresh();
    renewals += 1;
  };
  return (next) => async (call) => {
    const before = renewals;
    try {
      return await next(call);
    } catch (error) {
      if (!isStale(error)) throw error;
      // Others may have renewed them while this call was on its way.
      if (renewals === before) {
        running ??= renew().finally(() => (running = null));
        await running;
      }
      return next(call);
    }
  };
}

function isUnauthorized(error: unknown): boolean {
  return memberOf(error, "status") === 401;
}
