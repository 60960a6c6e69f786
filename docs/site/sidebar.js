import { pagesIn, sitePath, titleOf } from "./pages.js";

/** Pages by topic. */
const topics = [
  [
    "Start",
    [
      "README.md",
      "docs/quick-start.md",
      "docs/frameworks.md",
      "docs/switching-from-webrpc.md",
    ],
  ],
  [
    "Contract",
    [
      "docs/ridl.md",
      "docs/lint.md",
      "docs/breaking.md",
      "docs/filters.md",
      "docs/wire.md",
    ],
  ],
  [
    "Generated code",
    [
      "docs/client.md",
      "docs/server.md",
      "docs/streams.md",
      "docs/files.md",
      "docs/schemas.md",
      "docs/query.md",
      "docs/packaging.md",
      "docs/emitters.md",
    ],
  ],
  ["Descriptions", ["docs/openapi.md", "docs/markdown.md", "docs/explorer.md"]],
  [
    "Tools",
    [
      "docs/cli.md",
      "docs/ci.md",
      "docs/mock.md",
      "docs/test.md",
      "docs/implement.md",
      "docs/mcp.md",
      "docs/playground.md",
    ],
  ],
  [
    "Project",
    [
      "docs/scale.md",
      "bench/README.md",
      "platform/README.md",
      "docs/architecture.md",
      "CONTRIBUTING.md",
      "CHANGELOG.md",
      "SECURITY.md",
    ],
  ],
];

const decisions = pagesIn("docs/decisions");
const diagnostics = pagesIn("docs/diagnostics");

const listed = new Set(topics.flatMap(([, paths]) => paths));
const missing = pagesIn("docs").filter((path) => !listed.has(path));
if (missing.length > 0) {
  throw new Error(`docs/site/sidebar.js does not list ${missing.join(", ")}`);
}

function toItem(path) {
  return {
    text: titleOf(path),
    link: `/${sitePath(path).replace(/(?:(^|\/)index)?\.md$/u, "$1")}`,
  };
}

const home = { text: "All topics", link: "/" };

/** The list of pages on the left: by topic, and two long lists of their own. */
export const sidebar = {
  "/decisions/": [home, { text: "Decisions", items: decisions.map(toItem) }],
  "/diagnostics/": [
    home,
    { text: "Diagnostics", items: diagnostics.map(toItem) },
  ],
  "/": [
    ...topics.map(([text, paths]) => ({
      text,
      collapsed: false,
      items: paths.map(toItem),
    })),
    {
      text: "Reference",
      items: [
        { ...toItem(diagnostics[0]), text: "Diagnostics" },
        { ...toItem(decisions[0]), text: "Decisions" },
      ],
    },
  ],
};
