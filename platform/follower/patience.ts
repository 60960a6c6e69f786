/**
 * Creates a function that is called again and again with whether something is
 * the case. Returns whether it has been the case for longer than a time.
 *
 * Input: `onOver` is called whenever this begins.
 */
export function createPatience(
  patienceMs: number,
  onOver: () => void = () => undefined,
): (isCase: boolean) => boolean {
  let since: number | null = null;
  let isOver = false;
  return (isCase) => {
    const now = performance.now();
    since = isCase ? (since ?? now) : null;
    const wasOver = isOver;
    isOver = since !== null && now - since > patienceMs;
    if (isOver && !wasOver) onOver();
    return isOver;
  };
}
