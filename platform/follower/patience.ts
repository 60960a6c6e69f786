/**
 * Creates a function that is called again and again with whether something is
 * the case. Returns whether it has been the case for longer than a time.
 */
export function createPatience(
  patienceMs: number,
): (isCase: boolean) => boolean {
  let since: number | null = null;
  return (isCase) => {
    const now = performance.now();
    since = isCase ? (since ?? now) : null;
    return since !== null && now - since > patienceMs;
  };
}
