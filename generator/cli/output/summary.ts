import { hasColor } from "../report/color.js";
import type { System } from "../system/system.js";
import type { FileChange } from "./changes.js";

const labels = {
  create: { text: "create", color: "\u001B[32m" },
  update: { text: "update", color: "\u001B[33m" },
  remove: { text: "remove", color: "\u001B[31m" },
} as const;

/**
 * Describes what a run did or would do.
 * Input: changes with displayed paths. `isDetailed` adds a line for each
 * changed file to the total.
 * Returns lines, e.g. `create generated/client.ts`, and the total, e.g. `12
 * files: 1 created, 11 unchanged`.
 */
export function printChanges(
  changes: readonly FileChange[],
  system: System,
  isDetailed: boolean,
): string[] {
  if (!isDetailed) return [printTotal(changes)];
  const isColored = hasColor(system.stdout, system);
  const lines = changes.flatMap(({ kind, path }) => {
    if (kind === "keep") return [];
    const { text, color } = labels[kind];
    return [`${isColored ? `${color}${text}\u001B[39m` : text} ${path}`];
  });
  return [...lines, printTotal(changes)];
}

function printTotal(changes: readonly FileChange[]): string {
  const count = (kind: FileChange["kind"]): number =>
    changes.filter((change) => change.kind === kind).length;
  const parts = [
    { count: count("create"), text: "created" },
    { count: count("update"), text: "updated" },
    { count: count("keep"), text: "unchanged" },
    { count: count("remove"), text: "removed" },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, text }) => `${count} ${text}`);
  const total = changes.length - count("remove");
  const files = `${total} ${total === 1 ? "file" : "files"}`;
  return parts.length === 0 ? files : `${files}: ${parts.join(", ")}`;
}
