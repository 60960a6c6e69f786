import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { writeForAgents } from "../agents.js";
import { codeTheme } from "../code-theme.js";
import {
  keepBraces,
  keepTableHeaders,
  showFileNames,
  toAnchor,
  toSiteLinks,
} from "../markdown.js";
import { noPages, root, sitePath, work } from "../pages.js";
import { addPolicy, refuseFrames } from "../policy.js";
import { isSearched } from "../ranking.js";
import { sidebar } from "../sidebar.js";

const grammar = JSON.parse(
  readFileSync(
    `${root}/apps/editors/vscode/syntaxes/ridl.tmLanguage.json`,
    "utf8",
  ),
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

const { repository, version } = JSON.parse(
  readFileSync(`${root}/package.json`, "utf8"),
);

/** The address of the repository, which a release has. */
const [, source] =
  /^(?:git\+)?(https:.+?)(?:\.git)?$/u.exec(repository?.url ?? "") ?? [];

const base = process.env.SITE_BASE ?? "/";
// Preview images need a complete address.
const address = process.env.SITE_ADDRESS ?? "";
const description =
  "Contract-first HTTP RPC in TypeScript: RIDL schemas in, typed clients and validated servers out.";

export default defineConfig({
  title: "ridlkit",
  description,
  lang: "en-US",
  head: [
    ["link", { rel: "icon", href: `${base}logo.svg` }],
    ["meta", { property: "og:title", content: "ridlkit" }],
    ["meta", { property: "og:description", content: description }],
    ["meta", { property: "og:image", content: `${address}${base}preview.png` }],
    ["meta", { name: "twitter:card", content: "summary_large_image" }],
    ["script", {}, refuseFrames],
  ],
  base,
  transformHtml: addPolicy,
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
    theme: codeTheme,
    anchor: { slugify: toAnchor },
    languages: [{ ...grammar, name: "ridl" }],
    config: (md) =>
      void md
        .use(toSiteLinks)
        .use(showFileNames)
        .use(keepBraces)
        .use(keepTableHeaders),
  },
  themeConfig: {
    logo: { src: "/logo.svg", alt: "" },
    search: {
      provider: "local",
      options: {
        _render: (text, env, md) =>
          isSearched(sitePath(env.relativePath)) ? md.render(text, env) : "",
      },
    },
    outline: [2, 3],
    darkModeSwitchLabel: "Theme",
    nav: [
      { text: "Quick start", link: "/quick-start" },
      { text: "Language", link: "/ridl" },
      { text: "Playground", link: "/playground/index.html", target: "_self" },
      { text: "Example", link: "/example/index.html", target: "_self" },
      { text: `v${version}`, link: "/CHANGELOG" },
      ...(source === undefined ? [] : [{ text: "Repository", link: source }]),
    ],
    sidebar,
  },
});
