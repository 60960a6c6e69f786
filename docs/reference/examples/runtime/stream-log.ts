// Keeps the last items of streams, so that clients [resume](../../streams.md#a-log-of-items) on any instance.
import {
  itemsTables,
  memoryItems,
  pgItems,
  type PgListener,
  type PgQueryable,
  postgresItems,
  streamLog,
} from "@ridlkit/runtime/stream-log";

class PricesGoneError extends Error {}

const log = streamLog({
  store: memoryItems({ items: 100, ms: 60 * 60 * 1000, topics: 500 }),
  place: (cursor, price: { cents: number }) => ({ cursor, ...price }),
  gone: () => new PricesGoneError(),
  tailItems: 100,
  stringify: JSON.stringify,
  parse: JSON.parse,
});

const first = await log.publish("9780262510875", { cents: 4900 });
await log.publish("9780262510875", { cents: 4500 });

for await (const { cents } of log.subscribe("9780262510875", {
  after: first,
  signal: AbortSignal.timeout(1000),
})) {
  console.log(cents);
  break;
}
log.subscribe("9780262510875", { from: "newest" });

// With the package pg, `new Pool()` and `() => new Client()`.
export const openPgStore = (pool: PgQueryable, newClient: () => PgListener) =>
  pgItems(pool, { newClient, onError: console.error });

// Stands for the driver of a database.
interface Client {
  query(text: string, parameters?: readonly unknown[]): Promise<unknown[]>;
}
declare const pool: Client & {
  listen(channel: string, run: (payload?: string) => void): Promise<void>;
};
export const migrate = (): Promise<unknown> => pool.query(itemsTables);

export const openStore = () =>
  postgresItems<Client>({
    query: (text, parameters, client = pool) => client.query(text, parameters),
    listen: (channel, notify) => pool.listen(channel, notify),
    pollMs: 5000,
    items: 1000,
    ms: 60 * 60 * 1000,
    onError: console.error,
  });
