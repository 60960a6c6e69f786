import type { Contract, Origin } from "../../ir/contract.js";
import type { View } from "../templates.js";
import { listItems, type Item } from "./facts.js";
import { markdownCode, markdownComment, markdownText } from "./markdown.js";

type Kind = Origin["kind"];

/** One origin of one item. */
interface Fact {
  readonly name: string;
  readonly detail: string;
}

const kinds: readonly Kind[] = ["decided", "public", "stated"];

const titles: Readonly<Record<Kind, { title: string; about: string }>> = {
  decided: {
    title: "Filled in: decided here",
    about: "In neither the interface document nor public sources.",
  },
  public: {
    title: "Filled in: from public sources",
    about: "Not in the interface document, known from public sources.",
  },
  stated: {
    title: "Stated",
    about: "In the interface document, by its sections.",
  },
};

/** What the template of `origins.md` shows; null when nothing has an origin. */
export function createOriginsView(contract: Contract): View | null {
  const items = listItems(contract);
  const factsByKind = kinds.map((kind) => ({
    kind,
    facts: factsOf(items, kind),
  }));
  const used = factsByKind.filter(({ facts }) => facts.length > 0);
  if (used.length === 0) return null;
  return {
    documents: markdownComment(
      contract.hosts.map((host) => host.document).join(", "),
    ),
    counts: used.map(({ kind, facts }) => ({
      label: kind,
      count: facts.length,
    })),
    withoutOrigin: items.filter((item) => item.origins.length === 0).length,
    sections: used.map(({ kind, facts }) => ({
      ...titles[kind],
      groups:
        kind === "stated"
          ? groupBySection(facts)
          : [{ heading: "", items: facts.map(printFact) }],
    })),
  };
}

function factsOf(items: readonly Item[], kind: Kind): readonly Fact[] {
  return items.flatMap(({ name, origins }) =>
    origins
      .filter((origin) => origin.kind === kind)
      .map(({ detail }) => ({ name, detail })),
  );
}

function groupBySection(facts: readonly Fact[]): readonly View[] {
  const groups = new Map<string, string[]>();
  for (const { name, detail } of facts) {
    const names = groups.get(detail) ?? [];
    names.push(markdownCode(name));
    groups.set(detail, names);
  }
  return [...groups]
    .sort(([left], [right]) => (sectionKey(left) < sectionKey(right) ? -1 : 1))
    .map(([detail, names]) => ({
      heading: detail === "" ? "No section given" : markdownText(detail),
      items: names,
    }));
}

/** Orders by numbers as numbers: `4.9` before `4.10`, `4` before `4.1`. */
function sectionKey(detail: string): string {
  return detail.replace(/\d+/gu, (digits) => digits.padStart(9, "0"));
}

function printFact({ name, detail }: Fact): string {
  const code = markdownCode(name);
  return detail === "" ? code : `${code}: ${markdownText(detail)}`;
}
