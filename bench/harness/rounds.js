/**
 * Measures several subjects in turn, round by round, so that other load on the
 * machine affects all of them alike. One warm-up round is not counted.
 *
 * Input: subjects with a `name`, a `measure()` that returns numbers by name, an
 * optional `check()` that throws unless the first run did its work, and an
 * optional `roundsFor(sample)`, which determines the number of rounds for a
 * subject from its first run. Returns the samples of each subject. If a subject
 * with `isPeer` failed, they are null, and the reason is included. Errors:
 * rethrows the error of any other subject.
 */
export function runRounds(subjects, rounds, say = () => {}) {
  const samples = new Map(subjects.map(({ name }) => [name, []]));
  const failures = new Map();
  const lastRound = new Map();
  for (let round = 0; round <= rounds; round++) {
    for (const subject of subjects) {
      if (failures.has(subject.name)) continue;
      if (round > (lastRound.get(subject.name) ?? rounds)) continue;
      try {
        const sample = subject.measure();
        if (round === 0) {
          subject.check?.();
          lastRound.set(subject.name, subject.roundsFor?.(sample) ?? rounds);
        } else samples.get(subject.name).push(sample);
      } catch (error) {
        if (!subject.isPeer) throw error;
        failures.set(subject.name, firstLines(error.message));
      }
    }
    say(`round ${round} of ${rounds}`);
  }
  return subjects.map(({ name }) => ({
    name,
    samples: failures.has(name) ? null : samples.get(name),
    failure: failures.get(name) ?? null,
  }));
}

function firstLines(text) {
  return text.split("\n").slice(0, 12).join("\n");
}
