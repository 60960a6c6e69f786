import { isFunction } from "../../values/member.js";
import { answered } from "./answered.js";

/** How a {@link TopicWatch} learns of new items. */
interface Looking {
  /**
   * Calls `wake` with the topic of each new item, and `lost` when it can no longer
   * do so.
   */
  readonly listen:
    | ((
        wake: (topic: string | undefined) => void,
        lost: (error: unknown) => void,
      ) => unknown)
    | undefined;
  /** Returns topics and what changes with each of their items. */
  readonly look: (
    topics: readonly string[],
  ) => Promise<readonly (readonly [topic: string, last: string])[]>;
  readonly onError: (error: unknown) => void;
  readonly pollMs: number;
}

interface Watched {
  readonly wake: Set<() => void>;
  last: string | null;
}

/** How soon a lost connection is replaced, in milliseconds. */
const reopenMs = 500;

/** Wakes the readers of topics in a database, as long as there are any. */
export class TopicWatch {
  readonly #topics = new Map<string, Watched>();
  readonly #looking: Looking;
  #isListening = false;
  #isClosed = false;
  /** Ends the connection of the listener, if there is one. */
  #unlisten: Promise<unknown> = Promise.resolve();
  #isPolling = false;
  #delayMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(looking: Looking) {
    this.#looking = looking;
    this.#delayMs = looking.pollMs;
  }

  /** Calls a function when a topic has new items, until the result is called. */
  add(topic: string, wake: () => void): () => void {
    const watched = this.#topics.get(topic) ?? { wake: new Set(), last: null };
    this.#topics.set(topic, watched);
    watched.wake.add(wake);
    this.#listen();
    this.#schedule();
    return () => {
      watched.wake.delete(wake);
      if (watched.wake.size === 0) this.#topics.delete(topic);
      if (this.#topics.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #listen(): void {
    const { listen, onError } = this.#looking;
    if (this.#isClosed || this.#isListening || listen === undefined) return;
    this.#isListening = true;
    const wake = (topic: string | undefined): void => {
      for (const go of this.#topics.get(topic ?? "")?.wake ?? []) go();
    };
    let isOpen = false;
    let isLost = false;
    const lost = (error: unknown): void => {
      // Some drivers report a lost connection twice.
      if (isLost) return;
      isLost = true;
      // The next poll tries again. Until then, polling finds the items.
      this.#isListening = false;
      if (isOpen) this.#lookIn(Math.min(reopenMs, this.#looking.pollMs));
      onError(error);
    };
    this.#unlisten = Promise.resolve().then(() => listen(wake, lost));
    this.#unlisten.then(() => {
      isOpen = true;
      // Items may have been added before the listener heard anything.
      this.#lookIn(0);
    }, lost);
  }

  /** Stops looking, and ends the connection of the listener. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const unlisten = await this.#unlisten.catch(() => undefined);
    if (isFunction(unlisten)) await unlisten();
  }

  #lookIn(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#delayMs = delayMs;
    if (this.#topics.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#isPolling) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#poll();
    }, this.#delayMs);
    this.#delayMs = this.#looking.pollMs;
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    this.#listen();
    const topics = [...this.#topics.keys()];
    try {
      const looks = await answered(this.#looking.look(topics));
      for (const [topic, last] of looks) {
        const watched = this.#topics.get(topic);
        if (watched === undefined || watched.last === last) continue;
        watched.last = last;
        for (const go of watched.wake) go();
      }
    } catch (error) {
      // If all readers have left, the program may have closed the database.
      const isRead = topics.some((topic) => this.#topics.has(topic));
      if (isRead) this.#looking.onError(error);
    } finally {
      this.#isPolling = false;
    }
    if (this.#topics.size > 0) this.#schedule();
  }
}
