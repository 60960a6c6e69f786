import type { ClientInterceptor } from "./call.js";
import { memberOf } from "../values/member.js";

/** When credentials are taken for stale. */
export interface RefreshOptions {
  /** Which errors mean so; those with status 401 unless given. */
  readonly isStale?: (error: unknown) => boolean;
  /**
   * Whether to make every call again, because no method answers 401 once it runs;
   * only those that are safe to repeat unless given.
   */
  readonly repeatsAll?: boolean;
}

/**
 * Renews credentials when a call is refused with 401. Calls that are refused at
 * the same time wait for one and the same renewal. A call is then made again if
 * the contract says that this does no harm (`@idempotent`, `@readonly`): a method
 * may answer 401 after it has done some of its work. Other calls fail with the
 * 401, and the next one has the new credentials.
 *
 * Example: `credentials: { secret: () => session.token }` and
 * `use: [refreshCredentials(() => session.renew())]`.
 * Errors: what `refresh` throws; the error of the second attempt.
 */
export function refreshCredentials(
  refresh: () => unknown,
  { isStale = isUnauthorized, repeatsAll = false }: RefreshOptions = {},
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
      const isSafe = repeatsAll || (call.method.safety ?? "none") !== "none";
      if (!isSafe) throw error;
      // Nobody may wait any more.
      call.signal?.throwIfAborted();
      return next(call);
    }
  };
}

function isUnauthorized(error: unknown): boolean {
  return memberOf(error, "status") === 401;
}
