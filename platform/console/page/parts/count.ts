/** Formats a number for people, e.g. `10,000`. */
export function numberText(number: number): string {
  return number.toLocaleString("en");
}

/** Formats a count with its noun, e.g. `1 contact` or `10,000 contacts`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
