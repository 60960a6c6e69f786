import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { writeForAgents } from "../agents.js";
import {
  keepBraces,
  showFileNames,
  toAnchor,
  toSiteLinks,
} from "../markdown.js";
import { noPages, root, sitePath, work } from "../pages.js";
import { sidebar } from "../sidebar.js";

const grammar = JSON.parse(
  readFileSync(`${root}/editors/vscode/syntaxes/ridl.tmLanguage.json`, "utf8"),
);

/**
 * Resolves Vue from this package, because the pages are outside of it and would not
 * find Vue.
 */
const resolveVue = {
  name: "resolve-vue",
  enforce: "pre",
  resolveId(source, importer, options) {
    if (!/^vue(?:\/|$)/u.test(source)) return null;
    if (options.ssr) return { id: source, external: true };
    if (!importer?.endsWith(".md")) return null;
    const here = fileURLToPath(import.meta.url);
    return this.resolve(source, here, { ...options, skipSelf: true });
  },
};

export default defineConfig({
  title: "ridlkit",
  description:
    "Contract-first HTTP RPC in TypeScript: RIDL schemas in, typed clients and validated servers out.",
  lang: "en-US",
  head: [
    ["link", { rel: "icon", href: "data:," }],
    [
      "style",
      {},
      ".vp-doc .file-name { font: 13px var(--vp-font-family-mono); margin: 16px 0 -12px; }",
    ],
  ],
  base: process.env.SITE_BASE ?? "/",
  // The site reads the pages of the repository in place, without copying them.
  srcDir: root,
  srcExclude: noPages,
  rewrites: sitePath,
  // Put titles and the sidebar into one file instead of every page.
  metaChunk: true,
  buildEnd: ({ pages, outDir }) => writeForAgents(pages, outDir),
  outDir: `${root}/dist/site`,
  cacheDir: `${work}/cache`,
  vite: {
    publicDir: `${work}/public`,
    plugins: [resolveVue],
    build: { chunkSizeWarningLimit: 2000 },
    // Do not scan the HTML pages of other packages for dependencies.
    optimizeDeps: { entries: [] },
  },
  markdown: {
    anchor: { slugify: toAnchor },
    languages: [{ ...grammar, name: "ridl" }],
    config: (md) => void md.use(toSiteLinks).use(showFileNames).use(keepBraces),
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            // Rank guides above the many short pages that contain the same words.
            boostDocument: (id) =>
              /\/(?:diagnostics|decisions|test)\//u.test(id) ? 0.2 : 1,
          },
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: "Quick start", link: "/quick-start" },
      { text: "Language", link: "/ridl" },
      { text: "Playground", link: "/try/index.html", target: "_self" },
      { text: "Example", link: "/example/index.html", target: "_self" },
    ],
    sidebar,
  },
});
