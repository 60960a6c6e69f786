/**
 * Creates a predicate for names that contain the letters of a query in order.
 */
export function createMatcher(query: string): (name: string) => boolean {
  const letters = [...query.toLowerCase()];
  return (name) => {
    const text = name.toLowerCase();
    let at = 0;
    return letters.every((letter) => {
      at = text.indexOf(letter, at) + 1;
      return at > 0;
    });
  };
}
