import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { linksIn } from "./agents.js";

/**
 * Finds links on built pages, and on their copies in Markdown, to files or headings that do not exist.
 * Input: the folder of the site, and the path at which it is served.
 * Returns `page: link` for each dead link.
 */
export function findDeadLinks(folder, base) {
  const pages = readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(?:html|md)$|^llms\.txt$/u.test(path));
  const anchors = new Map();
  const hasAnchor = (file, id) => {
    const text = () => readFileSync(file, "utf8");
    const ids = anchors.get(file) ?? new Set(attributes(text(), "id"));
    anchors.set(file, ids);
    return ids.has(id);
  };
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), "utf8");
    const isHtml = page.endsWith(".html");
    const links = isHtml ? attributes(text, "href") : linksIn(text);
    return [...new Set(links)]
      .filter((href) => {
        const url = new URL(href, `http://site${base}${page}`);
        if (url.host !== "site") return false;
        if (!url.pathname.startsWith(base)) return true;
        const file = fileOf(folder, decodeURI(url.pathname.slice(base.length)));
        if (file === null) return true;
        const id = decodeURIComponent(url.hash.slice(1));
        return id !== "" && file.endsWith(".html") && !hasAnchor(file, id);
      })
      .map((href) => `${page}: ${href}`);
  });
}

/** Returns the file that a web server sends for a path, or null if there is none. */
function fileOf(folder, path) {
  const file = join(folder, path);
  const candidates = [file, join(file, "index.html"), `${file}.html`];
  const isFile = (each) => existsSync(each) && statSync(each).isFile();
  return candidates.find(isFile) ?? null;
}

/**
 * Returns the values of an attribute. Decodes the entities that occur in
 * addresses.
 */
function attributes(html, name) {
  const pattern = new RegExp(`<[^>]*\\s${name}="([^"]*)"`, "gu");
  return [...html.matchAll(pattern)].map(([, value]) =>
    value.replaceAll("&amp;", "&").replaceAll("&#39;", "'"),
  );
}
