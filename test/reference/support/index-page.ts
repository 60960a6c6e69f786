import { readFileSync } from "node:fs";
import { referenceFolder } from "./expect-pages.js";

/** A part of the reference: its topic and links to its pages. */
export interface ReferencePart {
  readonly title: string;
  readonly intro: string;
  /**
   * Links with their descriptions, such as ``[`client`](runtime/client.md)``.
   */
  readonly links: readonly (readonly [link: string, text: string])[];
}

const intro = `# Reference

The reference describes every command, setting, target, and export. Its pages are derived from the code: from the command line's own help, from the schema of the configuration, from the output of each target, from doc comments, and from tests. The [quick start](../quick-start.md), and pages such as [the client](../client.md) and [the server](../server.md), explain how to use them together.`;

const shop = `## Example shop

The programs on these pages use this contract and this server.`;

/** Prints the first page of the reference. */
export function printIndex(parts: readonly ReferencePart[]): string {
  const sections = parts.map(({ intro, links, title }) => {
    const rows = links.map(([link, text]) => `| ${link} | ${text} |`);
    return [`## ${title}`, intro, ["| | |", "|---|---|", ...rows].join("\n")];
  });
  return `${[
    intro,
    ...sections.flat(),
    shop,
    showExample("ridl", "shop.ridl"),
    showExample("ts", "shop.ts"),
  ].join("\n\n")}\n`;
}

function showExample(language: string, name: string): string {
  const path = `${referenceFolder}/examples/${name}`;
  return `\`\`\`${language} ${name}\n${readFileSync(path, "utf8")}\`\`\``;
}

/** Returns the first sentence of a text. */
export function firstSentence(text: string): string {
  const [first = ""] = text.split(/(?<=(?<!e\.g)\.) /u);
  return first;
}
