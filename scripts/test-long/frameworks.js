// Imports the documents of apps of other frameworks, calls them, and tests them
// with planted bugs (test/frameworks/). If their packages cannot be installed,
// the script only prints a message.
//   npm run test:long -- frameworks            tests all frameworks
//   npm run test:long -- frameworks -t NestJS  tests only one framework
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { runPart } from "./run-part.js";

const work = "test/frameworks/.work";

const run = (command, stdio = "inherit") =>
  spawnSync(command, { shell: true, stdio }).status ?? 1;

const npmPackages = [
  "@hono/node-server@2.1.9",
  "@hono/zod-openapi@1.6.3",
  "@nestjs/common@12.5.1",
  "@nestjs/core@12.5.1",
  "@nestjs/platform-express@12.5.1",
  "@nestjs/swagger@12.0.2",
  "class-transformer@0.5.1",
  "class-validator@0.15.1",
  "hono@4.13.19",
  "reflect-metadata@0.2.2",
  "rxjs@7.8.2",
  "zod@4.6.7",
];
const pythonPackages = ["fastapi==0.165.0", "uvicorn==0.54.0"];

/** Builds the app in Go. Returns what is missing, or null. */
function prepareGo() {
  if (run("go version", "ignore") !== 0) return "Go is not installed.";
  const folder = `${work}/huma`;
  mkdirSync(folder, { recursive: true });
  copyFileSync("test/frameworks/fixtures/huma/main.go", `${folder}/main.go`);
  const module = [
    "module shop",
    "go 1.25",
    "require github.com/danielgtaylor/huma/v2 v2.37.2",
  ];
  writeFileSync(`${folder}/go.mod`, `${module.join("\n")}\n`);
  return run(`cd ${folder} && go mod tidy && go build -o shop .`) === 0
    ? null
    : "The Go module proxy is not reachable.";
}

/** Installs the packages. Returns what is missing, or null. */
function prepare() {
  if (run("npm view hono version", "ignore") !== 0) {
    return "The npm registry is not reachable.";
  }
  if (run(`python3 -m venv ${work}/python`, "ignore") !== 0) {
    return "Python cannot create virtual environments.";
  }
  const pip = `${work}/python/bin/python -m pip install --quiet`;
  if (run(`${pip} ${pythonPackages.join(" ")}`) !== 0) {
    return "The Python package registry is not reachable.";
  }
  const install = `npm install --prefix ${work} --no-save --no-audit --no-fund --ignore-scripts`;
  return run(`${install} ${npmPackages.join(" ")}`) === 0
    ? prepareGo()
    : "The packages of the frameworks cannot be installed.";
}

const missing = prepare();
if (missing === null) {
  process.exitCode = runPart("frameworks", process.argv.slice(2));
} else console.log(`NOT RUN: tests of frameworks. ${missing}`);
