import type { CallOptions, ClientInterceptor } from "./call.js";
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
 * [refreshCredentials((options) => session.renew(options))]`.
 * Input: `refresh` passes its argument as the options of calls that have the same
 * interceptor. Otherwise, calls after its first `await` that fail with 401 wait
 * for the refresh, and the refresh waits for them.
 * Errors: what `refresh` throws. Otherwise, the error of the last attempt.
 */
export function refreshCredentials(
  refresh: (options: CallOptions) => unknown,
  { isStale = isUnauthorized, repeatsAll = false }: RefreshOptions = {},
): ClientInterceptor {
  let running: Promise<unknown> | null = null;
  let renewals = 0;
  // Calls of the refresh itself cannot wait for the refresh.
  const own = new Set<object>();
  let isStarting = false;
  const start: typeof refresh = (options) => {
    isStarting = true;
    try {
      return refresh(options);
    } finally {
      isStarting = false;
    }
  };
  const renew = async (): Promise<void> => {
    const context = {};
    own.add(context);
    try {
      await start({ context });
      renewals += 1;
    } finally {
      own.clear();
    }
  };
  return (next) => async (call) => {
    // All attempts of a call share its context.
    if (isStarting) own.add(call.context);
    if (own.has(call.context)) return next(call);
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
