import { pagesIn, sectionsOf, sitePath, titleOf } from "./pages.js";

/** The guides by the headings of their index. */
const guideSections = sectionsOf("docs/guides/README.md");

/** The guides, in the order of the index page. */
export const guides = guideSections.flatMap(([, pages]) => pages);

/** Pages by topic, which the sidebar lists. */
export const topics = [
  [
    "Start",
    [
      "docs/quick-start.md",
      "docs/learn.md",
      "docs/comparison.md",
      "docs/frameworks.md",
      "docs/switching-from-webrpc.md",
      "docs/guides/README.md",
    ],
  ],
  [
    "Contract",
    [
      "docs/ridl.md",
      "docs/unions.md",
      "docs/lint.md",
      "docs/breaking.md",
      "docs/wire.md",
    ],
  ],
  [
    "Generated code",
    [
      "docs/generated-code.md",
      "docs/client.md",
      "docs/server.md",
      "docs/errors.md",
      "docs/idempotency.md",
      "docs/skew.md",
      "docs/streams.md",
      "docs/files.md",
      "docs/schemas.md",
      "docs/query.md",
      "docs/packaging.md",
      "docs/languages.md",
      "docs/python.md",
      "docs/rust.md",
      "docs/go.md",
      "docs/kotlin.md",
      "docs/emitters.md",
      "docs/templates.md",
      "docs/openapi.md",
      "docs/explorer.md",
    ],
  ],
  [
    "Tools",
    [
      "docs/cli.md",
      "docs/editors.md",
      "docs/ci.md",
      "docs/mock.md",
      "docs/test.md",
      "docs/call.md",
      "docs/implement.md",
      "docs/migrate.md",
      "docs/import.md",
      "docs/agents.md",
      "docs/mcp.md",
    ],
  ],
];

/** Pages about the project, which have a sidebar of their own. */
export const project = [
  [
    "Project",
    [
      "README.md",
      "CHANGELOG.md",
      "docs/scale.md",
      "bench/README.md",
      "bench/results/summary.md",
      "CONTRIBUTING.md",
      "CODE_OF_CONDUCT.md",
      "SECURITY.md",
    ],
  ],
  ["Internals", ["docs/architecture.md", "docs/decisions/README.md"]],
  [
    "The platform",
    [
      "platform/README.md",
      "platform/operation.md",
      "platform/reference.md",
      "platform/relaying.md",
      "platform/networks.md",
    ],
  ],
];

/** Reference pages by folder. */
export const reference = [
  ["Reference", "docs/reference"],
  ["Commands", "docs/reference/commands"],
  ["Settings", "docs/reference/settings"],
  ["Targets", "docs/reference/targets"],
  ["Runtime", "docs/reference/runtime"],
  ["Tables", "docs/reference/tables"],
];

const diagnostics = pagesIn("docs/diagnostics");

/** Returns the pages that no topic lists. */
export function findUnlisted(paths) {
  const lists = [...topics, ...project].map(([, pages]) => pages);
  const listed = new Set([...lists.flat(), ...guides]);
  return paths.filter((path) => !listed.has(path));
}

const unlisted = findUnlisted([...pagesIn("docs"), ...pagesIn("docs/guides")]);
if (unlisted.length > 0) {
  throw new Error(`docs/site/sidebar.js does not list ${unlisted.join(", ")}`);
}

function toItem(path) {
  return {
    text: path === "README.md" ? "Overview" : titleOf(path),
    link: `/${sitePath(path).replace(/(?:(^|\/)index)?\.md$/u, "$1")}`,
  };
}

const home = { text: "Quick start", link: "/quick-start" };

const toGroups = (sections) =>
  sections.map(([text, paths]) => ({ text, items: paths.map(toItem) }));

/**
 * Returns the sidebars of a folder with many pages, by path prefix. Each lists the
 * pages with its prefix and links to the other prefixes. A complete list would be
 * longer than most pages.
 */
function splitByPrefix(title, pages, prefix, nameOf) {
  const items = pages.map(toItem);
  const prefixOf = ({ link }) => link.slice(0, prefix.length);
  const prefixes = [...new Set(items.map(prefixOf))];
  const besides = (shown) =>
    prefixes.map((each) => {
      const own = items.filter((item) => prefixOf(item) === each);
      const text = nameOf(each);
      return each === shown
        ? { text, items: own }
        : { text, link: own[0].link, docFooterText: own[0].text };
    });
  return Object.fromEntries(
    prefixes.map((each) => [
      each,
      [home, { text: title, items: besides(each) }],
    ]),
  );
}

/** The diagnostics by first letter. */
const besideLetter = splitByPrefix(
  "Diagnostics",
  diagnostics,
  "/diagnostics/x",
  (key) => key.slice(-1).toUpperCase(),
);

/** The sidebar of pages about the project. */
const aboutProject = [home, ...toGroups(project)];

/**
 * The sidebar. It lists pages by topic. The guides, the reference, the diagnostics,
 * the decisions and the pages about the project have their own lists.
 */
export const sidebar = {
  "/guides/": [
    home,
    { text: "Guides", items: [toItem("docs/guides/README.md")] },
    ...toGroups(guideSections),
  ],
  "/reference/": [
    home,
    ...reference.map(([text, folder]) => ({
      text,
      items: pagesIn(folder).map(toItem),
    })),
  ],
  "/decisions/": [home, ...toGroups(sectionsOf("docs/decisions/README.md"))],
  ...besideLetter,
  ...Object.fromEntries(
    project
      .flatMap(([, paths]) => paths)
      .map((path) => `/${sitePath(path).replace(/(?:index)?\.md$/u, "")}`)
      .filter((prefix) => !prefix.startsWith("/decisions/"))
      .map((prefix) => [prefix, aboutProject]),
  ),
  "/": [
    ...toGroups(topics),
    {
      text: "More",
      items: [
        toItem("docs/reference/README.md"),
        { ...toItem(diagnostics[0]), text: "Diagnostics" },
        { ...toItem("docs/scale.md"), text: "The project" },
      ],
    },
  ],
};
