/** The part of a client's call that an interceptor needs. */
interface InterceptedCall {
  readonly isStream?: boolean;
  readonly signal: AbortSignal | null;
}

type Next<Call> = (call: Call) => Promise<unknown>;

/**
 * Creates an interceptor for generated clients, in which a stream fails if its
 * response does not begin in time.
 *
 * The tool of a stream returns what has arrived after a while. Without this
 * interceptor, it would return no items if the server does not respond, as if
 * nothing had happened.
 *
 * Input: the limit in milliseconds, which must be shorter than that of the tool.
 */
export function failLateStreams(beginMs: number) {
  return <Call extends InterceptedCall>(next: Next<Call>): Next<Call> =>
    async (call) => {
      if (call.isStream !== true) return next(call);
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), beginMs);
      const signal = AbortSignal.any([
        late.signal,
        ...(call.signal ? [call.signal] : []),
      ]);
      try {
        return await next({ ...call, signal });
      } catch (error) {
        if (late.signal.aborted) {
          const cause = `the server did not begin to respond within ${beginMs / 1000} seconds; some servers send nothing before the first item`;
          Object.assign(Object(error), { cause });
        }
        throw error;
      } finally {
        clearTimeout(timer);
      }
    };
}
