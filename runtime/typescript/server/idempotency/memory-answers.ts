import type { AnswerStore } from "./answer-store.js";

/**
 * Keeps answers in memory, for development and for tests. They are lost when the
 * process ends, and other instances of a server do not see them.
 */
export function memoryAnswers(): AnswerStore {
  const running = new Set<string>();
  // In the order in which they were stored.
  const answers = new Map<string, { text: string; until: number }>();
  return {
    looksUpFormerIds: true,
    async once({ formerIds = [], id, keepMs }, run) {
      const ids = [id, ...formerIds];
      if (ids.some((each) => running.has(each))) return { kind: "running" };
      for (const [each, { until }] of answers) {
        if (until > Date.now()) break;
        answers.delete(each);
      }
      for (const each of ids) {
        const stored = answers.get(each);
        if (stored !== undefined && stored.until > Date.now()) {
          return { kind: "stored", text: stored.text, id: each };
        }
      }
      running.add(id);
      try {
        const answer = await run();
        answers.delete(id);
        if (answer !== null) {
          answers.set(id, { text: answer.text, until: Date.now() + keepMs });
        }
      } finally {
        running.delete(id);
      }
      return { kind: "ran" };
    },
  };
}
