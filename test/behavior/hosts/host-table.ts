import { exceptions } from "./exceptions.js";
import { features, type Feature } from "./features.js";
import { hosts, type Group, type Host } from "./hosts.js";
import { lifeCycleCases } from "./life-cycle-cases.js";
import { proxies } from "./proxies/start-proxy.js";
import { isRefused, transfers } from "./proxies/transfers.js";
import { rawRequestCases, requestCases } from "./request-cases.js";

/**
 * Returns a table of the documentation in Markdown: each host and what works on
 * it, followed by the reasons for what does not.
 */
export function hostTable(group: Group): string {
  const all = Object.keys(features) as Feature[];
  // The others do not answer requests themselves.
  const keys = all.filter((key) => group === "hosts" || key !== "requests");
  const reasons: string[] = [];
  const note = (found: readonly string[]): string => {
    for (const each of found) if (!reasons.includes(each)) reasons.push(each);
    const numbers = new Set(found.map((each) => reasons.indexOf(each) + 1));
    return `(${[...numbers].join(", ")})`;
  };
  const cellOf = ({ name }: Host, feature: Feature): string => {
    const names = namesOf(feature);
    const failed = exceptions
      .filter((each) => each.host === name && names.includes(each.name))
      .map(({ reason }) => reason);
    if (failed.length === 0) return "yes";
    return `${failed.length < names.length ? "partly" : "no"} ${note(failed)}`;
  };
  const rows = hosts
    .filter((host) => host.group === group)
    .map((host) => [host.name, ...keys.map((key) => cellOf(host, key))]);
  const title = { hosts: "host", proxies: "proxy", Go: "below" }[group];
  const head = [title, ...keys.map((key) => features[key])];
  const notes = reasons.map(
    (reason, index) => `${String(index + 1)}. ${reason}`,
  );
  return [...tableOf(head, rows), "", ...notes].join("\n");
}

/** Returns the table of the documentation about proxies. */
export function proxyTable(): string {
  const names = Object.keys(transfers);
  const rows = proxies.map((kind) => [
    kind.name,
    ...names.map((name) => (isRefused(kind, name) ? "refused" : "yes")),
  ]);
  return tableOf(["proxy", ...names], rows).join("\n");
}

function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  return [head, head.map(() => "---"), ...rows].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
}

function namesOf(feature: Feature): readonly string[] {
  return feature === "requests"
    ? [...requestCases, ...rawRequestCases].map(({ name }) => name)
    : lifeCycleCases
        .filter((given) => given.feature === feature)
        .map(({ name }) => name);
}
