/**
 * Returns a pattern that matches the integers of a range as decimal digits
 * without leading zeros. For -1 to 255 it is
 * `^(?:0|-?1|[2-9]|[1-9][0-9]|1[0-9]{2}|2(?:[0-4][0-9]|5[0-5]))$`.
 */
export function integerPattern(least: bigint, most: bigint): string {
  // Most ranges contain a number and its negative, whose digits are the same.
  const shared = least < 0n && most > 0n ? min(-least, most) : 0n;
  const negative = between(max(shared + 1n, -most), -least);
  const digits = [
    ...(least <= 0n && most >= 0n ? ["0"] : []),
    ...(shared > 0n ? [`-?${oneOf(between(1n, shared))}`] : []),
    ...(negative.length > 0 ? [`-${oneOf(negative)}`] : []),
    ...between(max(shared + 1n, least), most),
  ];
  return `^(?:${digits.join("|")})$`;
}

/** Returns alternatives for positive integers. An empty range has none. */
function between(least: bigint, most: bigint): readonly string[] {
  if (least > most) return [];
  const [low, high] = [String(least), String(most)];
  if (low.length === high.length) return sameLength(low, high);
  // Numbers that have all digits of their length need no limits.
  const from = low.length + (/^10*$/u.test(low) ? 0 : 1);
  const to = high.length - (/^9*$/u.test(high) ? 0 : 1);
  return [
    ...(from > low.length ? sameLength(low, "9".repeat(low.length)) : []),
    ...(from > to ? [] : [`[1-9]${anyDigits(from - 1, to - 1)}`]),
    ...(to < high.length
      ? sameLength(`1${"0".repeat(high.length - 1)}`, high)
      : []),
  ];
}

/** Returns alternatives for numbers with as many digits as both limits. */
function sameLength(least: string, most: string): readonly string[] {
  const [low = "", ...lowRest] = least;
  const [high = "", ...highRest] = most;
  const count = lowRest.length;
  const below = lowRest.join("");
  const above = highRest.join("");
  const isFromStart = /^0*$/u.test(below);
  const isToEnd = /^9*$/u.test(above);
  if (low === high && !(isFromStart && isToEnd))
    return [low + oneOf(sameLength(below, above))];
  const first = Number(low) + (isFromStart ? 0 : 1);
  const last = Number(high) - (isToEnd ? 0 : 1);
  return [
    ...(isFromStart ? [] : [low + oneOf(sameLength(below, "9".repeat(count)))]),
    ...(first > last ? [] : [classOf(first, last) + anyDigits(count, count)]),
    ...(isToEnd ? [] : [high + oneOf(sameLength("0".repeat(count), above))]),
  ];
}

function oneOf(alternatives: readonly string[]): string {
  const text = alternatives.join("|");
  return alternatives.length > 1 ? `(?:${text})` : text;
}

function classOf(first: number, last: number): string {
  if (first === last) return String(first);
  return last === first + 1 ? `[${first}${last}]` : `[${first}-${last}]`;
}

function anyDigits(least: number, most: number): string {
  if (most === 0) return "";
  if (most === 1) return least === 1 ? "[0-9]" : "[0-9]?";
  return `[0-9]{${least === most ? most : `${least},${most}`}}`;
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
