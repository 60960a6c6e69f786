import { requireNumber } from "../model/option-number.js";
import {
  firstPosition,
  type ItemStore,
  type KeepOptions,
  type StoredItem,
} from "./item-store.js";

interface Kept extends StoredItem {
  readonly addedAt: number;
}

/** Which items {@link memoryItems} keeps. */
export interface MemoryItemsOptions extends KeepOptions {
  /**
   * Number of topics. Beyond it, the topic without a new item for the longest time
   * is forgotten, first among those without readers. Default: 10,000.
   */
  readonly topics?: number;
}

/**
 * Keeps items in memory, for a server with one instance. They are lost when the
 * process ends, which readers are told.
 */
export function memoryItems(keep: MemoryItemsOptions = {}): ItemStore {
  const {
    items: most = 1000,
    ms = Infinity,
    topics: mostTopics = 10_000,
  } = keep;
  requireNumber("memoryItems.items", most, 1);
  requireNumber("memoryItems.ms", ms, 1);
  requireNumber("memoryItems.topics", mostTopics, 1);
  // In the order of their newest items.
  const topics = new Map<string, Kept[]>();
  const watchers = new Map<string, Set<() => void>>();
  return {
    async append(topic, text) {
      const kept = topics.get(topic) ?? [];
      topics.delete(topic);
      if (topics.size >= mostTopics) forgetOne(topics, watchers);
      topics.set(topic, kept);
      const last = kept.at(-1)?.position;
      const position = last === undefined ? firstPosition() : last + 1;
      const addedAt = Date.now();
      kept.push({ position, text, addedAt });
      dropOld(kept, most, addedAt - ms);
      for (const wake of watchers.get(topic) ?? []) wake();
      return position;
    },

    async read(topic, after, limit) {
      const kept = topics.get(topic) ?? [];
      dropOld(kept, most, Date.now() - ms);
      const first = kept[0]?.position ?? 0;
      const start = Math.max(0, after + 1 - first);
      const last = kept.at(-1)?.position ?? null;
      return { last, items: kept.slice(start, start + limit) };
    },

    watch(topic, wake) {
      const all = watchers.get(topic) ?? new Set();
      watchers.set(topic, all.add(wake));
      return () => {
        all.delete(wake);
        if (all.size === 0 && watchers.get(topic) === all) {
          watchers.delete(topic);
        }
      };
    },
  };
}

function forgetOne(
  topics: Map<string, unknown>,
  watchers: ReadonlyMap<string, unknown>,
): void {
  const [first = ""] = topics.keys();
  for (const topic of topics.keys()) {
    if (!watchers.has(topic)) return void topics.delete(topic);
  }
  topics.delete(first);
}

/** Removes old items, but never the newest. */
function dropOld(kept: Kept[], most: number, oldest: number): void {
  let count = Math.max(0, kept.length - most);
  while (count < kept.length - 1 && (kept[count]?.addedAt ?? 0) < oldest) {
    count += 1;
  }
  // Most calls remove one item, which V8 does without moving the others.
  if (count === 1) kept.shift();
  else if (count > 0) kept.splice(0, count);
}
