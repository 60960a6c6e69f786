/** Number of unchanged lines around a change. */
const context = 3;

/** A line, and whether only the old or only the new text has it. */
interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Prints the difference between two texts in the unified format, as lines. */
export function printDifference(
  path: string,
  before: string,
  after: string,
): readonly string[] {
  const lines = compareLines(before.split("\n"), after.split("\n"));
  const changed = lines.flatMap(({ sign }, index) =>
    sign === " " ? [] : index,
  );
  const hunks: { start: number; end: number }[] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    const start = Math.max(0, index - context);
    const end = Math.min(lines.length, index + context + 1);
    if (last !== undefined && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return [
    `--- ${path}`,
    `+++ ${path}`,
    ...hunks.flatMap(({ end, start }) => {
      const shown = lines.slice(start, end);
      const place = (other: Line["sign"]): string => {
        const isOwn = ({ sign }: Line): boolean => sign !== other;
        const first = lines.slice(0, start).filter(isOwn).length + 1;
        return `${first},${shown.filter(isOwn).length}`;
      };
      return [
        `@@ -${place("+")} +${place("-")} @@`,
        ...shown.map(({ sign, text }) => sign + text.replace(/\r$/u, "")),
      ];
    }),
  ];
}

/** Finds a shortest edit script (Myers, An O(ND) Difference Algorithm). */
function compareLines(
  old: readonly string[],
  now: readonly string[],
): readonly Line[] {
  const trace: ReadonlyMap<number, number>[] = [];
  let ends = new Map<number, number>([[1, 0]]);
  for (let count = 0; ; count++) {
    trace.push(new Map(ends));
    const next = new Map(ends);
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = startOf(next, diagonal, count);
      while (
        x < old.length &&
        x - diagonal < now.length &&
        old[x] === now[x - diagonal]
      ) {
        x++;
      }
      next.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) {
        return walkBack(trace, old, now);
      }
    }
    ends = next;
  }
}

/** Returns where a path on a diagonal starts after its last edit. */
function startOf(
  ends: ReadonlyMap<number, number>,
  diagonal: number,
  count: number,
): number {
  const above = ends.get(diagonal + 1) ?? -1;
  const left = ends.get(diagonal - 1) ?? -1;
  const isInsertion =
    diagonal === -count || (diagonal !== count && left < above);
  return isInsertion ? above : left + 1;
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  now: readonly string[],
): readonly Line[] {
  const lines: Line[] = [];
  let x = old.length;
  let y = now.length;
  for (let count = trace.length - 1; count >= 0; count--) {
    const ends = trace[count] ?? new Map<number, number>();
    const diagonal = x - y;
    const start = startOf(ends, diagonal, count);
    const isInsertion = start === ends.get(diagonal + 1);
    const fromX = count === 0 ? 0 : isInsertion ? start : start - 1;
    const fromY =
      count === 0 ? 0 : fromX - (isInsertion ? diagonal + 1 : diagonal - 1);
    for (; x > (count === 0 ? 0 : start) && y > 0; x--, y--) {
      lines.push({ sign: " ", text: old[x - 1] ?? "" });
    }
    if (count === 0) break;
    lines.push(
      isInsertion
        ? { sign: "+", text: now[y - 1] ?? "" }
        : { sign: "-", text: old[x - 1] ?? "" },
    );
    x = fromX;
    y = fromY;
  }
  return lines.toReversed();
}
