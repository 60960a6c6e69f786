import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pageOf } from "./markdown.js";
import { pagesIn, root, sitePath, titleOf } from "./pages.js";
import { guides, project, reference, topics } from "./sidebar.js";

/**
 * Writes what agents read instead of HTML: the Markdown of each page next to the
 * page, and `llms.txt`, which lists the pages. Input: the paths of the pages in the
 * repository, and the folder of the site.
 */
export function writeForAgents(pages, site) {
  const known = new Set(pages);
  for (const path of pages) {
    const text = readFileSync(join(root, path), "utf8");
    const target = join(site, sitePath(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, toSitePage(text, path, known));
  }
  writeFileSync(join(site, "llms.txt"), createIndex(known));
}

const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/gu;

/** Matches code, which contains no links. */
const code = /(^ *(`{3,})[^]*?^ *\2 *$|(?<!`)(`+)(?!`)[^]*?(?<!`)\3(?!`))/mu;

/**
 * Changes the links of a page: to pages of the site, relative to the site. Other
 * links within the repository become text. Input: the page, its path, and the paths
 * of all pages.
 */
export function toSitePage(markdown, path, pages) {
  const folder = posix.dirname(path);
  const own = posix.dirname(sitePath(path));
  return outsideCode(markdown, (text) =>
    text.replace(link, (all, isImage, label, href) => {
      if (/^(?:[a-z]+:|#)/iu.test(href)) return all;
      const [, file, hash] = /^([^#]*)(.*)$/u.exec(href);
      const target = posix.join(folder, decodeURIComponent(file));
      const absolute = posix.join(root, target);
      const page = existsSync(absolute) ? pageOf(absolute) : null;
      const relative = page === null ? null : posix.relative(root, page);
      if (isImage || relative === null || !pages.has(relative)) return label;
      return `[${label}](${posix.relative(own, sitePath(relative))}${hash})`;
    }),
  );
}

/**
 * Changes text outside of code. A link can contain code, so code is replaced by a
 * placeholder meanwhile.
 */
function outsideCode(markdown, change) {
  const codes = [];
  const text = markdown.replace(new RegExp(code, "gmu"), (each) => {
    codes.push(each);
    return `\0${codes.length - 1}\0`;
  });
  return change(text).replace(/\0(\d+)\0/gu, (_, index) => codes[index]);
}

/** Returns the links of a page in Markdown, which are not in code. */
export function linksIn(markdown) {
  const found = [];
  outsideCode(markdown, (text) => {
    found.push(...[...text.matchAll(link)].map(([, , , href]) => href));
    return text;
  });
  return found;
}

function createIndex(pages) {
  const { description } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const skills = [...pages].filter((path) => path.endsWith("/SKILL.md")).sort();
  const sections = [
    ["Skills", skills],
    ...topics,
    ["Guides", guides],
    ...reference.map(([title, folder]) => [title, pagesIn(folder)]),
    [
      "Optional",
      [
        ...project.flatMap(([, paths]) => paths),
        ...pagesIn("docs/diagnostics").slice(0, 1),
      ],
    ],
  ];
  return [
    "# ridlkit",
    "",
    `> ${description}`,
    "",
    "The npm packages are `ridlkit` and `@ridlkit/runtime`. The npm package `ridl` is a different project. All pages but those for contributors are also in `node_modules/ridlkit`, and each diagnostic has a page, `diagnostics/<code>.md`.",
    ...sections.flatMap(([title, paths]) => [
      "",
      `## ${title}`,
      "",
      ...paths.map(
        (path) => `- [${titleOf(path)}](${sitePath(path)}): ${summaryOf(path)}`,
      ),
    ]),
    "",
  ].join("\n");
}

/** Returns the first sentence of a page, without links. */
function summaryOf(path) {
  const text = readFileSync(join(root, path), "utf8");
  const [, body] = /^# .+\n+([^]*)$/mu.exec(text);
  const paragraphs = body.split(/\n\n+/u);
  const prose = paragraphs.find((each) => /^[\p{L}`[]/u.test(each)) ?? "";
  const plain = prose.replaceAll("\n", " ").replaceAll(link, "$2");
  return /^.*?[.:](?= |$)/u.exec(plain)?.[0].replace(/:$/u, ".") ?? plain;
}
