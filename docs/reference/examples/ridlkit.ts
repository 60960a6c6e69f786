// The package `ridlkit` is also a library that compiles documents to a contract, generates code from it in memory, and compares two contracts. None of these functions access the disk.
import * as ridlkit from "ridlkit";
import type { EmitContext, EmitOptions } from "ridlkit";

const text = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  - GetBook(isbn: string) => (title: string)
`;
const reader = {
  read: (path: string) => (path === "shop.ridl" ? text : null),
};

// Parse and print one document.
const document = ridlkit.parseDocument({ path: "shop.ridl", text }).value;
console.log(ridlkit.printDocument(document) === text); // true

// Compile all documents.
const lint: ridlkit.LintOptions = {
  ...ridlkit.defaultLintOptions,
  int64: "bigint",
  categories: ["minimal", "comments"],
  rules: { "comment-method": "error" },
  words: ["http"],
};
const { diagnostics } = ridlkit.compileContract(["shop.ridl"], reader, lint);
for (const each of diagnostics) {
  console.log(ridlkit.renderDiagnostic(each, { color: false }));
}

const { value: contract } = ridlkit.compileContract(["shop.ridl"], reader);
if (contract === null) throw new Error("the documents have errors");

// Find types by name.
console.log(ridlkit.createIndex(contract));

// Generate files in memory.
const options: EmitOptions = {
  language: "typescript",
  declarations: true,
  int64: "bigint",
  timestamp: "date",
  runtime: "import",
  runtimeFiles: ["node"],
  importExtension: ".js",
  nullAsEmpty: true,
  explicitUndefined: true,
  readonlyLists: true,
  skew: new Map(),
};
const context: EmitContext = {
  runtimeSources: new Map(),
  schemas: new Map([["shop.ridl", text]]),
  outputFolder: "src/generated",
};
const choices: readonly ridlkit.TargetChoice[] = [
  { name: "defaults" },
  { name: "mock" },
  { name: "query", setting: "vue" },
  { name: "openapi", setting: { format: "json" } },
];
const targets = await ridlkit.selectTargets(choices);
const files = ridlkit.emitContract(contract, targets, options, context);
console.log(files.map(({ path }) => path));

// Compare two contracts.
console.log(ridlkit.findChanges(contract, contract)); // []
