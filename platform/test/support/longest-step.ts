/**
 * Measures how much CPU time this process uses at most, in milliseconds, before
 * other work can run.
 */
export async function longestStep(
  work: () => Promise<unknown>,
): Promise<number> {
  let isOver = false;
  let longest = 0;
  let since = process.cpuUsage();
  const look = (): void => {
    const { system, user } = process.cpuUsage(since);
    longest = Math.max(longest, (system + user) / 1000);
    since = process.cpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  // Includes the step in which the work ended.
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest;
}
