import { requireNumber } from "../model/option-number.js";
import type { ItemStore, KeepOptions, StoredItem } from "./item-store.js";
import { TopicWatch } from "./topic-watch.js";

/** Options for {@link postgresItems}. */
export interface PostgresItemsOptions<Transaction> extends KeepOptions {
  /**
   * Runs a statement with the parameters `$1`, `$2`, … and returns its rows: in
   * the given transaction, or by itself.
   */
  readonly query: (
    text: string,
    parameters: readonly unknown[],
    transaction: Transaction | undefined,
  ) => Promise<readonly unknown[]>;
  /**
   * Listens to a channel (`LISTEN`) on a connection of its own, and calls `notify`
   * with the payload of each notification. Called when the first subscriber comes,
   * and again within `pollMs` after `lost` was called or an error was thrown.
   * Default: new items are found every `pollMs`. May return a function that ends
   * the connection, which `close` calls.
   *
   * Input: `lost` reports that the connection has ended.
   */
  readonly listen?: (
    channel: string,
    notify: (payload: string | undefined) => void,
    lost: (error: unknown) => void,
  ) => unknown;
  /**
   * Time in milliseconds between two looks for new items, in one statement for all
   * topics with subscribers. With `listen`, this only finds items whose
   * notifications were lost. Default: 500, and 5,000 with `listen`.
   */
  readonly pollMs?: number;
  /**
   * Called when a statement for subscribers fails, or one after an item was added,
   * and when the connection of `listen` is lost.
   */
  readonly onError: (error: unknown) => void;
}

/** Items in PostgreSQL. */
export interface PostgresItems<Transaction> extends ItemStore<Transaction> {
  /**
   * Stops looking for new items, and ends the connection of `listen`. Subscriptions
   * get no more items.
   */
  close(): Promise<void>;
}

/** Creates the tables of {@link postgresItems}. */
export const itemsTables = `CREATE TABLE stream_topics (
  topic text PRIMARY KEY,
  last bigint NOT NULL
);
CREATE TABLE stream_items (
  topic text NOT NULL,
  position bigint NOT NULL,
  item text NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (topic, position)
);`;

const channel = "stream_items";

// The row of the topic stays locked until the transaction ends. So positions
// become visible in their order, and an undone transaction leaves no gap.
const append = `WITH next AS (
  INSERT INTO stream_topics AS old (topic, last)
  VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
  ON CONFLICT (topic) DO UPDATE SET last = old.last + 1
  RETURNING last
), item AS (
  INSERT INTO stream_items (topic, position, item, added_at)
  SELECT $1, last, $2, clock_timestamp() FROM next
)
SELECT last::text AS position FROM next`;

const notify = "SELECT pg_notify($1, $2)";

// At most 1,000 rows, so that no call waits for long after `keep` has changed.
const sweep = `DELETE FROM stream_items WHERE topic = $1 AND position IN (
  SELECT position FROM stream_items WHERE topic = $1 AND position < $2::bigint
  ORDER BY position LIMIT 1000
) AND (position <= $2::bigint - $3::bigint
  OR added_at < clock_timestamp() - $4::float8 * interval '1 millisecond')`;

// A topic without new items is not swept, so its old items are left out here.
const read = `SELECT stream_topics.last::text AS last,
  page.position::text AS position, page.item AS item
FROM stream_topics LEFT JOIN LATERAL (
  SELECT position, item FROM stream_items
  WHERE stream_items.topic = stream_topics.topic AND position > $2::bigint
    AND (position = stream_topics.last
      OR added_at >= clock_timestamp() - $4::float8 * interval '1 millisecond')
  ORDER BY position LIMIT $3::int
) AS page ON true
WHERE stream_topics.topic = $1 ORDER BY page.position`;

const look = `SELECT topic, last::text AS last FROM stream_topics
WHERE topic IN (SELECT jsonb_array_elements_text($1::jsonb))`;

/** The longest interval that PostgreSQL is asked to subtract: 100 years. */
const maxKeepMs = 3_155_760_000_000;

/** More items than a topic can have. */
const maxKeepItems = Number.MAX_SAFE_INTEGER;

/**
 * Keeps items in PostgreSQL, for servers with several instances. The tables are
 * those of `itemsTables`.
 */
export function postgresItems<Transaction = never>({
  items = 1000,
  listen,
  ms = maxKeepMs,
  onError,
  pollMs = listen === undefined ? 500 : 5000,
  query,
}: PostgresItemsOptions<Transaction>): PostgresItems<Transaction> {
  requireNumber("postgresItems.items", items, 1);
  requireNumber("postgresItems.ms", ms, 1);
  requireNumber("postgresItems.pollMs", pollMs, 1);
  // Removing a part of the items at once costs less than one with each item.
  const sweepEvery = Math.min(100, Math.max(1, Math.floor(items / 10)));
  const keepMs = Math.min(ms, maxKeepMs);
  const watch = new TopicWatch({
    listen: listen && ((wake, lost) => listen(channel, wake, lost)),
    look: async (topics) => {
      const list = JSON.stringify(topics);
      const rows = await query(look, [list], undefined);
      return rows.map((row) => {
        const { last, topic } = Object(row);
        return [String(topic), String(last)];
      });
    },
    onError,
    pollMs,
  });
  return {
    async append(topic, text, transaction) {
      requireText(topic);
      const [row] = await query(append, [topic, text], transaction);
      const position = Number(Object(row).position);
      try {
        if (listen !== undefined) {
          await query(notify, [channel, topic], transaction);
        }
        if (position % sweepEvery === 0) {
          const keep = [Math.ceil(Math.min(items, maxKeepItems)), keepMs];
          await query(sweep, [topic, position, ...keep], transaction);
        }
      } catch (error) {
        if (transaction !== undefined) throw error;
        // The item has been added, so its publisher must not add it again.
        onError(error);
      }
      return position;
    },

    async read(topic, after, limit) {
      if (!isText(topic)) return { last: null, items: [] };
      const reading = query(read, [topic, after, limit, keepMs], undefined);
      const rows = await reading.catch((error: unknown) => {
        onError(error);
        throw error;
      });
      const [first] = rows;
      return {
        last: first === undefined ? null : Number(Object(first).last),
        items: rows.flatMap(itemOf),
      };
    },

    // Such a topic never has items, and the statement for all topics would fail.
    watch: (topic, wake) =>
      isText(topic) ? watch.add(topic, wake) : () => undefined,

    close: () => watch.close(),
  };
}

/** Whether PostgreSQL can store a topic, which may be the choice of a client. */
function isText(topic: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(topic);
}

function requireText(topic: string): void {
  if (isText(topic)) return;
  const got = JSON.stringify(topic);
  throw new TypeError(`topic: expected text without U+0000, got ${got}`);
}

function itemOf(row: unknown): readonly StoredItem[] {
  const { item, position } = Object(row);
  if (position === null) return [];
  return [{ position: Number(position), text: String(item) }];
}
