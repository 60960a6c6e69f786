// Compiles and runs the options generated for TanStack Query with the oldest
// version of each framework that packages accept (`peerDependencies`).
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { bin, here, run, work } from "./commands.js";

const esbuild = "../../../node_modules/.bin/esbuild";

/** Packages that npm does not install with the options' own package. */
const others = { react: ["@types/react"], vue: ["vue@3"] };

const newestLast = (one, other) =>
  one.localeCompare(other, "en", { numeric: true });

/** Returns the oldest published version of each part of a range. */
function oldestOf(name, range) {
  return range.split(" || ").map((part) => {
    const printed = run("npm", [
      "view",
      `${name}@${part}`,
      "version",
      "--json",
    ]);
    const [oldest] = [JSON.parse(printed)].flat().sort(newestLast);
    return oldest;
  });
}

/** Returns the peer dependency of a package with these options. */
function peerOf(framework) {
  const out = `${work}/query/${framework}/package`;
  run(
    process.execPath,
    [
      "../../../../../../bin/ridl.js",
      "package",
      "--out",
      out,
      "--name",
      "shop",
    ],
    { cwd: `${work}/query/${framework}` },
  );
  const { peerDependencies } = JSON.parse(
    readFileSync(`${out}/package.json`, "utf8"),
  );
  const [[name, range]] = Object.entries(peerDependencies);
  return { name, versions: oldestOf(name, range) };
}

function check(framework, name, version) {
  const folder = `${work}/oldest/${framework}-${version}`;
  mkdirSync(`${folder}/query`, { recursive: true });
  // The types of the expected errors are those of React.
  for (const each of ["react", framework]) {
    const path = `.work/query/${each}`;
    cpSync(`${here}${path}`, `${folder}/${path}`, {
      recursive: true,
      filter: (file) => !file.includes("/package"),
    });
  }
  const program = readFileSync(`${here}query/oldest.ts`, "utf8")
    .replaceAll("@tanstack/query-core", name)
    .replaceAll("query/core/", `query/${framework}/`);
  writeFileSync(`${folder}/query/oldest.ts`, program);
  // The functions of the older Svelte take other arguments.
  const isOther = framework === "svelte" && version.startsWith("5.");
  for (const file of ["expect-type.ts", `${framework}.ts`]) {
    const source = `${here}query/${file}`;
    if (!existsSync(source) || (isOther && file === "svelte.ts")) continue;
    cpSync(source, `${folder}/query/${file}`);
  }
  const tsconfig = {
    extends: "../../../query/tsconfig.json",
    compilerOptions: { rootDir: "." },
    include: ["query/*.ts"],
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(tsconfig));
  run("npm", [
    ...["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund"],
    ...["--ignore-scripts", "--prefer-offline"],
    ...[`${name}@${version}`, ...(others[framework] ?? [])],
  ]);
  // Chooses the code for this version of Vue.
  const script = `${folder}/node_modules/vue-demi/scripts/postinstall.js`;
  if (existsSync(script)) run(process.execPath, [script]);
  bin("tsc", "-p", folder);
  run(esbuild, [
    ...[`${folder}/query/oldest.ts`, "--bundle", "--platform=node"],
    ...["--format=esm", "--log-level=error"],
    // Node cannot load components of Svelte.
    framework === "svelte" ? "--loader:.svelte=empty" : "--packages=external",
    `--outfile=${folder}/oldest.mjs`,
  ]);
  run(process.execPath, [`${folder}/oldest.mjs`]);
}

/** Errors: an error with what the compiler or the program prints. */
export function checkOldestPeers(frameworks) {
  for (const framework of frameworks) {
    const { name, versions } = peerOf(framework);
    for (const version of versions) {
      check(framework, name, version);
      console.log(`${name} ${version}`);
    }
  }
}
