/** A step of work. */
interface AnyStep {
  /** The work, in values (`reference.md`). */
  readonly work: number;
}

/** Work that asks before each step whether it can be taken. */
export type Work<Step extends AnyStep, Result = void> = Generator<
  Step,
  Result,
  boolean
>;

/** Work that has begun. */
interface StartedWork<Step extends AnyStep> {
  readonly work: Work<Step>;
  next: IteratorResult<Step, void>;
  used: number;
}

/** How much more work than the others a part does before they take turns. */
const turnWork = 20;

/**
 * Runs parts of work in turns, so that the parts that need little are finished
 * first, and the others have done almost the same amount at any time. Starts
 * each part when it is its turn for the first time.
 */
export function* takeTurns<Step extends AnyStep>(
  parts: Iterable<Work<Step>>,
): Work<Step> {
  let waiting: StartedWork<Step>[] = [];
  for (const work of parts) {
    const part = { work, next: work.next(), used: 0 };
    yield* takeTurn(part, turnWork);
    if (part.next.done !== true) waiting.push(part);
  }
  let share = turnWork;
  while (waiting.length > 0) {
    const least = waiting.reduce(
      (found, { next, used }) =>
        next.done === true ? found : Math.min(found, used + next.value.work),
      Infinity,
    );
    share = Math.max(share + turnWork, least);
    for (const part of waiting) yield* takeTurn(part, share);
    waiting = waiting.filter(({ next }) => next.done !== true);
  }
}

function* takeTurn<Step extends AnyStep>(
  part: StartedWork<Step>,
  share: number,
): Work<Step> {
  while (part.next.done !== true) {
    const { value: step } = part.next;
    if (part.used + step.work > share) return;
    const isTaken = yield step;
    if (isTaken) part.used += step.work;
    part.next = part.work.next(isTaken);
  }
}
