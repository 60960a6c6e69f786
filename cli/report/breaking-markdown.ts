import type { BreakingFinding, Effect } from "../../tools/breaking/index.js";
import {
  markdownDocs,
  markdownCode,
} from "../../generator/4-emit/templates/markdown-text.js";
import { createRangeFinder } from "../../generator/diagnostics/formats/line-range.js";
import { groupBy } from "../../generator/ir/group-by.js";
import type { Location } from "../../generator/source/source.js";
import { printCounts } from "./report.js";

interface ReportHead {
  /** The old version, e.g. `main (a1b2c3d4)`. */
  readonly name: string;
  /** Level of the first heading, from 1. Groups are one level deeper. */
  readonly level: number;
}

/**
 * Prints changes to a contract for a pull request comment or a changelog,
 * grouped by who is affected, with breaking changes first.
 */
export function printBreakingMarkdown(
  findings: readonly BreakingFinding[],
  { level, name }: ReportHead,
): string {
  const locate = createRangeFinder();
  const heading = (text: string, deeper = 0): string =>
    `${"#".repeat(level + deeper)} ${text}`;
  const counts = printCounts(findings);
  const paragraphs = [
    heading("Contract changes"),
    `Compared with ${markdownCode(name)}: ${counts === "" ? "nothing breaks" : counts}.`,
    ...groupFindings(findings).flatMap(([title, group]) => [
      heading(title, 1),
      group.map((finding) => printFinding(finding, placeOf)).join("\n"),
    ]),
  ];
  return `${paragraphs.join("\n\n")}\n`;

  function placeOf(location: Location): string {
    const { file, line } = locate(location);
    return markdownCode(`${file}:${line}`);
  }
}

/** Groups findings by title, in the order of the titles. */
function groupFindings(
  findings: readonly BreakingFinding[],
): readonly (readonly [string, readonly BreakingFinding[]])[] {
  const order = titles();
  return [...groupBy(findings, titleOf)].sort(
    ([left], [right]) => order.indexOf(left) - order.indexOf(right),
  );
}

function titleOf({ isReceived, worst }: BreakingFinding): string {
  if (worst === undefined || worst.level === "note") return otherTitle;
  return `${verbs[worst.level]} ${describeAudience(worst.audience, isReceived)}`;
}

const otherTitle = "Other changes";

const verbs = { error: "Breaks", danger: "May break" } as const;

function describeAudience(
  audience: Effect["audience"],
  isReceived: boolean,
): string {
  switch (audience) {
    case "wire":
      return isReceived ? "existing receivers" : "existing clients";
    case "wire-strict":
      return isReceived
        ? "new receivers of existing servers"
        : "new clients of existing servers";
    case "client-source":
    case "server-source":
      return "code";
  }
}

function titles(): readonly string[] {
  const all = (["wire", "wire-strict", "client-source"] as const).flatMap(
    (audience) => [
      describeAudience(audience, false),
      describeAudience(audience, true),
    ],
  );
  const found = Object.values(verbs).flatMap((verb) =>
    all.map((whom) => `${verb} ${whom}`),
  );
  return [...found, otherTitle];
}

function printFinding(
  { code, help, location, message, notes, related, severity }: BreakingFinding,
  placeOf: (location: Location) => string,
): string {
  const before = (related ?? []).map(
    (each) => `${each.label} ${placeOf(each.location)}`,
  );
  const places = [...(location ? [placeOf(location)] : []), ...before];
  const lines = [
    ...(places.length > 0 ? [places.join(", ")] : []),
    ...(notes ?? []).map(toMarkdown),
    ...(help === undefined ? [] : [`**Instead:** ${toMarkdown(help)}`]),
  ];
  const first = `- **${severity}:** ${toMarkdown(message)} (${markdownCode(code)})`;
  return [first, ...lines.map((line) => `  - ${line}`)].join("\n");
}

/** Converts text to Markdown, in which names in backticks remain code. */
function toMarkdown(text: string): string {
  return markdownDocs({ lines: [text.replace(/\s+/gu, " ")] });
}
