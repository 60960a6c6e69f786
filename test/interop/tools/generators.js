import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { bin, call, here, ridl, run, work } from "./commands.js";
import { compiled } from "./compiled.js";

/**
 * For each contract, the path of its document and the folder for its clients.
 */
export const shop = {
  name: "shop",
  document: ".work/generated/openapi.yaml",
  folder: ".work",
};
export const platform = {
  name: "platform",
  document: ".work/platform/generated/openapi.yaml",
  folder: ".work/platform",
};
const unions = {
  name: "unions",
  document: ".work/unions/generated/openapi.yaml",
  folder: ".work/unions",
};

const { dependencies } = JSON.parse(
  readFileSync(`${here}package.json`, "utf8"),
);

/** Describes a client in TypeScript. All of them are compiled together. */
function inTypeScript(name, tool, generate) {
  return {
    name,
    version: dependencies[tool],
    language: "TypeScript",
    generate,
    call: (address) =>
      call(process.execPath, [`.work/dist/clients/${name}.js`, address]),
    callAll: (args) =>
      call(process.execPath, [".work/dist/clients/platform.js", name, ...args]),
  };
}

const venv = ".work/python/venv/bin/python";
const python = (args) =>
  call(venv, args, {
    env: { ...process.env, PYTHONPATH: `${work}/python` },
  });
const pythonTool = "0.29.1";
const maven = ["-q", "-B", "-f", "unions/java/pom.xml"];
const [, mavenTool] =
  /maven-plugin<\/artifactId>\s*<version>(.*?)<\/version>/u.exec(
    readFileSync(`${here}unions/java/pom.xml`, "utf8"),
  );
const goFolder = `${work}/go`;
const goVersion = "v2.8.2";
export const goTools = { env: { GOBIN: `${work}/bin`, GOFLAGS: "-mod=mod" } };

/**
 * The generators, and how to create and run a client with each. `isLong` ones
 * only run if they are named, or with `--all`.
 */
export const clients = [
  inTypeScript("openapi-fetch", "openapi-typescript", ({ document, folder }) =>
    bin(
      "openapi-typescript",
      document,
      "-o",
      `${folder}/openapi-typescript.ts`,
    ),
  ),
  {
    ...inTypeScript("hey-api", "@hey-api/openapi-ts", ({ document, folder }) =>
      bin(
        "openapi-ts",
        ...["-i", document, "-o", `${folder}/hey-api`],
        ...["-c", "@hey-api/client-fetch"],
      ),
    ),
    contracts: [shop, platform, unions],
    sendUnions: (address) =>
      call(process.execPath, [".work/dist/unions/hey-api.js", address]),
  },
  inTypeScript("orval", "orval", ({ document, folder, name }) =>
    bin(
      "orval",
      ...["--input", document, "--output", `${folder}/orval/${name}.ts`],
      ...["--client", "fetch"],
    ),
  ),
  inTypeScript("kubb", "@kubb/core", ({ document, folder }) =>
    run("node_modules/.bin/kubb", ["generate", "--config", "kubb.config.js"], {
      env: { KUBB_DOCUMENT: document, KUBB_OUTPUT: `${folder}/kubb` },
    }),
  ),
  {
    name: "openapi-python-client",
    version: pythonTool,
    language: "Python",
    /** Installs the tool. Throws if Python or the registry is missing. */
    prepare() {
      const tool = `openapi-python-client==${pythonTool}`;
      run("python3", ["-m", "venv", ".work/python/venv"]);
      run(venv, ["-m", "pip", "install", "-q", tool]);
    },
    generate({ document, name }) {
      run(venv, [
        ...["-m", "openapi_python_client", "generate", "--meta", "none"],
        ...["--path", document, "--output-path", `.work/python/${name}_client`],
      ]);
    },
    call: (address) => python(["clients/python/main.py", address]),
    callAll: (args) => python(["clients/python/platform_calls.py", ...args]),
    contracts: [shop, platform, unions],
    sendUnions: (address) => python(["unions/main.py", address]),
  },
  {
    name: "oapi-codegen",
    version: goVersion.slice(1),
    language: "Go",
    prepare() {
      const tool = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen";
      run("go", ["install", `${tool}@${goVersion}`], goTools);
      cpSync(`${here}clients/go`, goFolder, { recursive: true });
      run("go", ["mod", "download"], { cwd: goFolder, ...goTools });
    },
    generate({ document, name }) {
      mkdirSync(`${goFolder}/${name}`, { recursive: true });
      run(".work/bin/oapi-codegen", [
        ...["-generate", "types,client,skip-prune", "-package", name],
        ...["-o", `.work/go/${name}/${name}.go`, document],
      ]);
      run("go", ["build", "-o", `../bin/${name}-calls`, `./${name}-calls`], {
        cwd: goFolder,
        ...goTools,
      });
    },
    call: (address) => call(".work/bin/shop-calls", [address]),
    callAll: (args) => call(".work/bin/platform-calls", args),
  },
  {
    name: "openapi-generator",
    version: mavenTool,
    language: "TypeScript and Java",
    contracts: [unions],
    prepare: () => run("mvn", ["--version"]),
    generate() {
      run("mvn", [...maven, "compile"]);
      bin("tsc", "-p", "unions/tsconfig.json");
    },
    async sendUnions(address) {
      const program = ".work/dist/unions/openapi-generator.js";
      await call(process.execPath, [program, address]);
      await call("mvn", [...maven, "exec:java", `-Dexec.args=${address}`]);
    },
  },
  ...compiled,
];
