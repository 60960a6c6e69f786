import { bin, cache, call, here, ridl, run } from "./commands.js";

/** The shop in OpenAPI 3.0, without webhooks. */
const shop = {
  name: "shop",
  document: ".work/generated-3.0/openapi.yaml",
};

/** Puts a program from Maven Central into the cache. */
function load(artifact) {
  const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
  run("mvn", [
    ...["-q", "-B", goal, `-Dartifact=${artifact}`],
    ...[`-DoutputDirectory=${cache}`, "-Dmdep.overWriteIfNewer=false"],
  ]);
}

/** The version is also in clients/kotlin/pom.xml. */
const openapiGenerator = "7.25.0";
const swaggerCodegen = "3.0.61";

/** Generates, compiles and runs the client in Kotlin. */
const kotlin = ["-q", "-B", "-f", "clients/kotlin/pom.xml"];

/** Runs a program from the cache. */
const java = (program, ...args) =>
  run("java", ["-jar", `${cache}/${program}.jar`, ...args]);

/**
 * Generators that take minutes, because they need Java, and some of their
 * clients a compiler. They read OpenAPI 3.0.
 */
export const compiled = [
  {
    name: "openapi-generator-rust",
    tool: "openapi-generator",
    version: openapiGenerator,
    language: "Rust",
    isLong: true,
    contracts: [shop],
    methods: "5 of 7",
    prepare() {
      run("cargo", ["--version"]);
      load(`org.openapitools:openapi-generator-cli:${openapiGenerator}`);
    },
    generate({ document }) {
      ridl("shop-3.0.config.yaml");
      const methods = ["Ping", "Echo", "GetItem", "Count", "Download"];
      const filter = methods.map((name) => `Shop_${name}`).join("|");
      java(
        `openapi-generator-cli-${openapiGenerator}`,
        ...["generate", "-g", "rust", "-i", document, "-o", ".work/rust"],
        "--additional-properties=packageName=shop",
        ...["--openapi-normalizer", `FILTER=operationId:${filter}`],
      );
      run("cargo", ["build", "--quiet"], {
        cwd: `${here}clients/rust`,
        env: { CARGO_TARGET_DIR: `${cache}/rust` },
      });
    },
    call: (address) => call(`${cache}/rust/debug/calls`, [address]),
  },
  {
    name: "openapi-generator-kotlin",
    tool: "openapi-generator",
    version: openapiGenerator,
    language: "Kotlin",
    isLong: true,
    contracts: [shop],
    prepare: () => run("mvn", ["--version"]),
    generate() {
      ridl("shop-3.0.config.yaml");
      run("mvn", [...kotlin, "compile"]);
    },
    call: (address) =>
      call("mvn", [...kotlin, "exec:java", `-Dexec.args=${address}`]),
  },
  {
    name: "swagger-codegen",
    version: swaggerCodegen,
    language: "TypeScript",
    isLong: true,
    contracts: [shop],
    methods: "6 of 7",
    prepare() {
      load(`io.swagger.codegen.v3:swagger-codegen-cli:${swaggerCodegen}`);
    },
    generate({ document }) {
      ridl("shop-3.0.config.yaml");
      java(
        `swagger-codegen-cli-${swaggerCodegen}`,
        ...["generate", "-l", "typescript-fetch"],
        ...["-i", document, "-o", ".work/swagger"],
      );
      const program = "clients/swagger-codegen.ts";
      bin(
        "tsc",
        ...["--noEmit", "--skipLibCheck", "--target", "es2023"],
        ...["--module", "esnext", "--moduleResolution", "bundler"],
        ...["--types", "node", program],
      );
      run("../../../node_modules/.bin/esbuild", [
        ...[program, "--bundle", "--platform=node", "--format=esm"],
        "--alias:isomorphic-fetch=./clients/isomorphic-fetch.js",
        "--outfile=.work/dist/swagger-codegen.js",
      ]);
    },
    call: (address) =>
      call(process.execPath, [".work/dist/swagger-codegen.js", address]),
  },
];
