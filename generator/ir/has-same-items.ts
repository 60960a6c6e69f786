/** Whether two lists contain the same items in the same order. */
export function hasSameItems(
  before: readonly unknown[],
  now: readonly unknown[],
): boolean {
  return (
    before.length === now.length &&
    before.every((item, index) => item === now[index])
  );
}
