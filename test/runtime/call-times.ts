/**
 * Calls again and again, one after the other.
 *
 * Output: how many milliseconds 99 of 100 calls took at most.
 * Errors: when a call is not answered with 200.
 */
export async function percentileOfCalls(
  call: () => Promise<number>,
  count: number,
): Promise<number> {
  const times: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const start = performance.now();
    const status = await call();
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(`answered ${String(status)}`);
  }
  times.sort((left, right) => left - right);
  return times[Math.floor(count * 0.99)] ?? 0;
}
