import { requireNumber } from "../model/option-number.js";
import type { AnswerStore } from "./answer-store.js";

/** Options for {@link memoryAnswers}. */
export interface MemoryAnswersOptions {
  /**
   * Maximum length of all answers, in UTF-16 code units. Beyond it, the oldest
   * answers are removed, whose calls can then run again. Default: 64 Mi.
   */
  readonly maxLength?: number;
}

/**
 * Keeps answers in memory, for development and for tests. They are lost when the
 * process ends, and other instances of a server do not see them.
 */
export function memoryAnswers({
  maxLength = 67_108_864,
}: MemoryAnswersOptions = {}): AnswerStore {
  requireNumber("memoryAnswers.maxLength", maxLength, 1);
  const running = new Set<string>();
  // In the order in which they were stored.
  const answers = new Map<string, { text: string; until: number }>();
  let length = 0;
  const forget = (id: string): void => {
    length -= answers.get(id)?.text.length ?? 0;
    answers.delete(id);
  };
  return {
    looksUpFormerIds: true,
    async once({ formerIds = [], id, keepMs }, run) {
      const ids = [id, ...formerIds];
      if (ids.some((each) => running.has(each))) return { kind: "running" };
      for (const [each, { until }] of answers) {
        if (until > Date.now()) break;
        forget(each);
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
        forget(id);
        if (answer !== null) {
          const { text } = answer;
          answers.set(id, { text, until: Date.now() + keepMs });
          length += text.length;
        }
        for (const each of answers.keys()) {
          if (length <= maxLength) break;
          forget(each);
        }
      } finally {
        running.delete(id);
      }
      return { kind: "ran" };
    },
  };
}
