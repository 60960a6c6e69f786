import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The indexer's metrics. */
export interface IndexerMetrics {
  /** Counts an attempt, and records the delay of a completed delivery. */
  countDelivery(network: string, outcome: string, delayMs: number): void;
  /** Counts deliveries that exceed their project's limit. */
  countRejected(network: string, count: number): void;
  /** Counts listeners that were not sent all events of a block, by notification. */
  countUnsent(network: string, type: string, count: number): void;
  /** Measures how many listeners of this instance keep failing. */
  measureFailing(count: () => number): void;
  /**
   * Starts the clock of a network, so that a network that never responds has a
   * value, too.
   */
  startFollowing(network: string): void;
  /** Records a response of a network, and how many blocks are not indexed. */
  setLag(network: string, blocks: number): void;
}

/** Creates the indexer's metrics. */
export function createIndexerMetrics(registry: Registry): IndexerMetrics {
  const registers = [registry];
  const deliveries = new Counter({
    name: "webhook_deliveries_total",
    help: "Attempts to deliver webhooks, by outcome, and webhooks rejected because of their project's limit.",
    labelNames: ["network", "outcome"],
    registers,
  });
  const unsent = new Counter({
    name: "webhook_listeners_unsent_total",
    help: "Listeners that were not sent all events of a block because of the work they cause, by the type of the notification.",
    labelNames: ["network", "type"],
    registers,
  });
  const delay = new Histogram({
    name: "webhook_delivery_delay_seconds",
    help: "Time from the database transaction that stores a block to the receipt of a webhook.",
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60, 600, 3600, 86_400],
    registers,
  });
  const lag = new Gauge({
    name: "indexer_lag_blocks",
    help: "Blocks that are on the chain and not yet indexed.",
    labelNames: ["network"],
    registers,
  });
  let countFailing = (): number => 0;
  new Gauge({
    name: "webhook_listeners_failing",
    help: "Listeners whose last five webhooks or more from this instance failed.",
    registers,
    collect() {
      this.set(countFailing());
    },
  });
  const readAt = new Map<string, number>();
  new Gauge({
    name: "indexer_chain_read_age_seconds",
    help: "Time since this instance last read the head of a network. Only the instance that follows the network reads it.",
    labelNames: ["network"],
    registers,
    collect() {
      for (const [network, at] of readAt) {
        this.set({ network }, (performance.now() - at) / 1000);
      }
    },
  });
  return {
    measureFailing: (count) => {
      countFailing = count;
    },
    countDelivery: (network, outcome, delayMs) => {
      deliveries.inc({ network, outcome });
      if (outcome === "done") delay.observe(delayMs / 1000);
    },
    countRejected: (network, count) =>
      deliveries.inc({ network, outcome: "rejected" }, count),
    countUnsent: (network, type, count) => unsent.inc({ network, type }, count),
    startFollowing: (network) => {
      readAt.set(network, performance.now());
      // Prometheus only sees the first rejection as an increase if the counter
      // had a value before it.
      deliveries.inc({ network, outcome: "rejected" }, 0);
    },
    setLag: (network, blocks) => {
      lag.set({ network }, blocks);
      readAt.set(network, performance.now());
    },
  };
}
