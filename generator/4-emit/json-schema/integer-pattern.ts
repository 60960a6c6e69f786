/**
 * Returns a pattern that matches the integers of a range as decimal digits
 * without leading zeros. For 0 to 255 it is
 * `^(?:0|[1-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$`.
 */
export function integerPattern(least: bigint, most: bigint): string {
  const negative = digitsBetween(-min(most, -1n), -least);
  const digits = [
    ...(negative.length > 0 ? [`-(?:${negative.join("|")})`] : []),
    ...digitsBetween(least > 0n ? least : 0n, most),
  ];
  return `^(?:${digits.join("|")})$`;
}

/** Returns alternatives for integers of any length. An empty range has none. */
function digitsBetween(least: bigint, most: bigint): readonly string[] {
  if (least > most) return [];
  if (least === 0n) return ["0", ...digitsBetween(1n, most)];
  const end = 10n ** BigInt(String(least).length) - 1n;
  return [
    ...sameLength(String(least), String(min(end, most))),
    ...digitsBetween(end + 1n, most),
  ];
}

/** Returns alternatives for numbers with as many digits as both limits. */
function sameLength(least: string, most: string): readonly string[] {
  const [low = "", ...lowRest] = least;
  const [high = "", ...highRest] = most;
  if (low === "") return [""];
  const below = lowRest.join("");
  const above = highRest.join("");
  if (low === high) return after(low, sameLength(below, above));
  const isFromStart = /^0*$/u.test(below);
  const isToEnd = /^9*$/u.test(above);
  const first = Number(low) + (isFromStart ? 0 : 1);
  const last = Number(high) - (isToEnd ? 0 : 1);
  return [
    ...(isFromStart
      ? []
      : after(low, sameLength(below, below.replace(/./gu, "9")))),
    ...(first > last ? [] : [classOf(first, last) + anyDigits(below.length)]),
    ...(isToEnd
      ? []
      : after(high, sameLength(above.replace(/./gu, "0"), above))),
  ];
}

function after(digit: string, rests: readonly string[]): readonly string[] {
  return rests.map((rest) => digit + rest);
}

function classOf(first: number, last: number): string {
  return first === last ? String(first) : `[${first}-${last}]`;
}

function anyDigits(count: number): string {
  if (count < 2) return "[0-9]".repeat(count);
  return `[0-9]{${count}}`;
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
