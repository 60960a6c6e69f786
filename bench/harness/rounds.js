/**
 * Measures several subjects in turn, round by round, so that whatever else the
 * machine does falls on all of them alike. One round to warm up is not counted.
 *
 * Input: subjects with a `name`, a `measure()` that returns numbers by name,
 * and perhaps a `check()` that throws unless the first run did its work.
 * Output: for each subject its samples; those of a subject that failed are
 * null, with the reason.
 */
export function runRounds(subjects, rounds, say = () => {}) {
  const samples = new Map(subjects.map(({ name }) => [name, []]));
  const failures = new Map();
  for (let round = 0; round <= rounds; round++) {
    for (const subject of subjects) {
      if (failures.has(subject.name)) continue;
      try {
        const sample = subject.measure();
        if (round === 0) subject.check?.();
        else samples.get(subject.name).push(sample);
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
