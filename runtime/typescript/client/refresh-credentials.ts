import type { ClientInterceptor } from "./call.js";
import { memberOf } from "../values/member.js";

/** Options for {@link refreshCredentials}. */
export interface RefreshOptions {
  /**
   * Returns whether an error means that credentials are stale. Default: status
   * 401.
   */
  readonly isStale?: (error: unknown) => boolean;
  /**
   * Whether to repeat every call. Set this only if no method returns 401 after
   * it has started its work. Default: `false`, which repeats only calls to
   * `@idempotent`, `@readonly`, and `@idempotencyKey` methods.
   */
  readonly repeatsAll?: boolean;
}

/**
 * Refreshes credentials when a call fails with 401. Calls that fail at the same
 * time share one refresh. A failed call is then repeated if the contract marks
 * its method as `@idempotent`, `@readonly`, or `@idempotencyKey`. Other calls
 * fail with the 401, because they may already have had effects. Later calls use
 * the new credentials.
 *
 * Example: `credentials: { secret: () => session.token }` and `use:
 * [refreshCredentials(() => session.renew())]`.
 * Errors: what `refresh` throws. Otherwise, the error of the last attempt.
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
      // Another call may have renewed the credentials in the meantime.
      if (renewals === before) {
        running ??= renew().finally(() => (running = null));
        await running;
      }
      const isSafe = repeatsAll || (call.method.safety ?? "none") !== "none";
      if (!isSafe) throw error;
      return next(call);
    }
  };
}

function isUnauthorized(error: unknown): boolean {
  return memberOf(error, "status") === 401;
}
