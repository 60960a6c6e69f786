import { readdirSync, readFileSync } from "node:fs";
import { referenceFolder } from "./expect-pages.js";
import type { ReferencePart } from "./index-page.js";

/** The tables that tests compare with the code, by their titles. */
export const tablesPart: ReferencePart = {
  title: "Tables",
  intro: "Tests compare these tables with the code, or write them.",
  links: readdirSync(`${referenceFolder}/tables`)
    .sort()
    .map((name) => {
      const text = readFileSync(`${referenceFolder}/tables/${name}`, "utf8");
      const [, title = "", summary = ""] =
        /^# (.+)\n\n(.+?\.)(?: |$)/mu.exec(text) ?? [];
      return [
        `[${title}](tables/${name})`,
        summary.replaceAll("../../", "../"),
      ];
    }),
};
