/** Whether a name contains the letters of a query in order. */
export function matchesQuery(name: string, query: string): boolean {
  let at = 0;
  const letters = name.toLowerCase();
  for (const letter of query.toLowerCase()) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
