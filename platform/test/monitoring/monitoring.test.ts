import { readFileSync } from "node:fs";

import { expect, test } from "vitest";
import { parse } from "yaml";

import { measureClock } from "../../database/clock-offset.js";
import { measureFollowers } from "../../follower/metrics.js";
import { measureQueues } from "../../queue/metrics.js";
import { measureRelays } from "../../relaying/metrics.js";
import { createMoneyMetrics } from "../../relaying/watch-money.js";
import { createIndexerMetrics } from "../../services/indexer/metrics.js";
import { servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

interface Panel {
  readonly targets: readonly { readonly expr: string }[];
}

const alerts: { readonly groups: readonly { readonly rules: Rule[] }[] } =
  parse(readFileSync("platform/monitoring/alerts.yaml", "utf8"));
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync("platform/monitoring/dashboard.json", "utf8"),
);
const watched = rules.map(({ expr }) => expr);
const shown = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr),
);

const database = await openTestDatabase();
const { metrics, platform } = servePlatform(database);
const { registry } = metrics;
measureQueues(registry, database);
measureFollowers(registry, database, platform.networks);
measureRelays(registry, database, platform.networks);
measureClock(registry, database);
createMoneyMetrics(registry);
const indexerMetrics = createIndexerMetrics(registry);

/** The labels that each metric may have, by metric name. */
const exposed = new Map<string, readonly string[]>(
  registry.getMetricsAsArray().flatMap((metric): [string, string[]][] => {
    // The declared type does not include the label names.
    const labels: unknown = Reflect.get(metric, "labelNames");
    const names = Array.isArray(labels) ? labels.map(String) : [];
    const { name } = metric;
    return [
      [name, names],
      [`${name}_bucket`, [...names, "le"]],
    ];
  }),
);

/** Returns the metrics in an expression, each with its labels. */
function metricsOf(expr: string): readonly [string, readonly string[]][] {
  const selectors = expr.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)(?:\{(.*?)\})?/gu);
  return [...selectors]
    .map(([, name = "", labels = ""]): [string, readonly string[]] => [
      name,
      [...labels.matchAll(/(\w+)\s*[=!]/gu)].map(([, label = ""]) => label),
    ])
    .filter(([name]) => !/^(?:histogram_quantile|\w+_over_time)$/u.test(name))
    .filter(([name]) => name !== "__rate_interval");
}

test("alerts and panels use existing metrics and labels", () => {
  const asked = [...watched, ...shown];
  expect(asked.length).toBeGreaterThan(20);
  for (const expr of asked.filter((each) => !each.startsWith("up{"))) {
    const found = metricsOf(expr);
    expect(found.length, expr).toBeGreaterThan(0);
    const known = found.flatMap(([name]) => exposed.get(name) ?? []);
    const groups = [...expr.matchAll(/by \((.*?)\)/gu)].flatMap(
      ([, labels = ""]) => labels.split(", "),
    );
    for (const [name, labels] of found) {
      expect([...exposed.keys()], expr).toContain(name);
      // Prometheus itself adds the `job` label.
      for (const label of [...labels, ...groups]) {
        expect([...known, "job"], expr).toContain(label);
      }
    }
  }
});

test("WebhooksRejected also notices a network's first rejection", async () => {
  const expr = watched.find((each) => each.includes('outcome="rejected"'));
  expect(expr).toContain("increase(webhook_deliveries_total{");
  // Prometheus sees no increase in a counter that had no value before.
  indexerMetrics.startFollowing("hardhat");
  expect(await registry.metrics()).toContain(
    'webhook_deliveries_total{network="hardhat",outcome="rejected"} 0\n',
  );
});

test("the dashboard shows every metric of the platform", () => {
  const own = registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => !/^(?:process|nodejs)_/u.test(name));
  expect(own.length).toBeGreaterThan(5);
  const all = shown.join("\n");
  for (const name of own) expect(all).toContain(name);
});

test("platform/operation.md has instructions for each alert", () => {
  const page = readFileSync("platform/operation.md", "utf8");
  const described = [...page.matchAll(/^\| `([A-Z]\w+)` +\|/gmu)].map(
    ([, name]) => name,
  );
  expect(described).toEqual(rules.map(({ alert }) => alert));
});
