// Bundles the command line and the API into dist/cli. A few files load faster
// than three hundred, and the package needs no dependencies.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/cli");

const input = {
  cwd: root,
  platform: "node",
  // The files of `yaml` for Node.js are CommonJS, which loads more slowly from
  // a bundle.
  resolve: {
    alias: { yaml: join(root, "node_modules/yaml/browser/dist/index.js") },
  },
};
const output = {
  dir: out,
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  comments: false,
  // Keep names, so that crash reports are readable.
  minify: { compress: true, mangle: false, codegen: true },
};

const { output: files } = await build({
  ...input,
  input: {
    main: "cli/main.ts",
    "node-system": "cli/node/node-system.ts",
    index: "cli/index.ts",
  },
  output: {
    ...output,
    // Without groups, the code that `ridl generate` shares with other commands
    // would be in fifty files, and loading each of them takes time.
    codeSplitting: {
      groups: [
        { name: "handlebars", test: /node_modules\/handlebars\// },
        { name: "main", test: /cli\/(?:main|node\/node-system)\.ts$/u },
        {
          name: "generate",
          test: /cli\/(?:commands\/generate|project\/pipeline|config\/read-config)\.ts$/u,
        },
      ],
    },
  },
});
// Runs that change nothing and the language server each get one file that needs
// no package. They are CommonJS, so that Node.js does not load its support for
// ES modules. What only editors of templates need is in other files.
const splitting = {
  quick: false,
  serve: {
    groups: [
      { name: "serve", test: /cli\/(?:serve|config\/read-config)\.ts$/u },
    ],
  },
};
for (const [name, codeSplitting] of Object.entries(splitting)) {
  const { output: bundle } = await build({
    ...input,
    input: `cli/${name}.ts`,
    output: {
      ...output,
      codeSplitting,
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name]-[hash].cjs",
    },
  });
  files.push(...bundle);
}

/** Folders of the bundled packages. */
const packages = new Set(
  files
    .flatMap(({ moduleIds = [] }) => moduleIds)
    .flatMap(
      (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0] ?? [],
    ),
);

function readNotice(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const text = ["LICENSE", "LICENSE.md", "LICENSE.txt", "License.txt"]
    .map((file) => {
      try {
        return readFileSync(join(folder, file), "utf8");
      } catch {
        return null;
      }
    })
    .find((text) => text !== null);
  if (text === undefined) throw new Error(`${name} has no license text`);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

const notices = [...packages].sort().map(readNotice);
writeFileSync(
  join(out, "THIRD-PARTY-NOTICES.txt"),
  `The files next to this one contain the following packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`,
);
