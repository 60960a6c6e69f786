// Imports the documents of apps of other frameworks, calls them, and tests them
// with planted bugs (test/frameworks/). The script prints the apps whose packages
// cannot be installed.
//   npm run test:long -- frameworks            tests all frameworks
//   npm run test:long -- frameworks -t NestJS  tests only one framework
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { copyJars } from "./copy-jars.js";
import { runPart } from "./run-part.js";

const work = "test/frameworks/.work";
const fixtures = "test/frameworks/fixtures";

const run = (command, stdio = "inherit") =>
  spawnSync(command, { shell: true, stdio }).status ?? 1;

const npmPackages = [
  "@hono/node-server@2.1.9",
  "@hono/zod-openapi@1.6.3",
  "@nestjs/common@12.5.1",
  "@nestjs/core@12.5.1",
  "@nestjs/platform-express@12.5.1",
  "@nestjs/swagger@12.0.2",
  "@orpc/openapi@1.16.1",
  "@orpc/server@1.16.1",
  "@orpc/zod@1.16.1",
  "class-transformer@0.5.1",
  "class-validator@0.15.1",
  "hono@4.13.19",
  "reflect-metadata@0.2.2",
  "rxjs@7.8.2",
  "zod@4.6.7",
];
// Generated clients need httpx.
const pythonPackages = ["fastapi==0.165.0", "httpx==0.28.1", "uvicorn==0.54.0"];

/** What tests use, and how to install it. `prepare` returns what is missing, or null. */
const toolchains = [
  {
    names: ["NestJS", "Hono with zod-openapi", "oRPC"],
    prepare() {
      const install = `npm install --prefix ${work} --no-save --no-audit --no-fund --ignore-scripts`;
      return run(`${install} ${npmPackages.join(" ")}`) === 0
        ? null
        : "The npm registry is not reachable.";
    },
  },
  {
    names: ["FastAPI", "a client in Python"],
    prepare() {
      if (run(`python3 -m venv ${work}/python`, "ignore") !== 0) {
        return "Python cannot create virtual environments.";
      }
      const pip = `${work}/python/bin/python -m pip install --quiet`;
      return run(`${pip} ${pythonPackages.join(" ")}`) === 0
        ? null
        : "The Python package registry is not reachable.";
    },
  },
  {
    names: ["huma", "a client in Go"],
    prepare() {
      if (run("go version", "ignore") !== 0) return "Go is not installed.";
      const folder = `${work}/huma`;
      mkdirSync(folder, { recursive: true });
      copyFileSync(`${fixtures}/huma/main.go`, `${folder}/main.go`);
      const module = [
        "module shop",
        "go 1.25",
        "require github.com/danielgtaylor/huma/v2 v2.37.2",
      ];
      writeFileSync(`${folder}/go.mod`, `${module.join("\n")}\n`);
      return run(`cd ${folder} && go mod tidy && go build -o shop .`) === 0
        ? null
        : "The Go module proxy is not reachable.";
    },
  },
  {
    names: ["Spring"],
    prepare() {
      const folder = `${work}/spring`;
      const missing = copyJars(`${fixtures}/spring/pom.xml`, `${folder}/jars`);
      if (missing !== null) return missing;
      const compile = `javac -parameters -cp '${folder}/jars/*' -d ${folder}/classes`;
      if (run(`${compile} ${fixtures}/spring/Shop.java`) === 0) return null;
      throw new Error("the app of Spring does not compile");
    },
  },
];

const missing = toolchains.flatMap(({ names, prepare }) => {
  const reason = prepare();
  return reason === null ? [] : names.map((name) => ({ name, reason }));
});
if (missing.length < toolchains.flatMap(({ names }) => names).length) {
  process.exitCode = runPart("frameworks", process.argv.slice(2), {
    RIDLKIT_NOT_INSTALLED: missing.map(({ name }) => name).join(","),
  });
}
for (const { name, reason } of missing) {
  console.log(`NOT RUN: tests with ${name}. ${reason}`);
}
