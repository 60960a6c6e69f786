import { exitCodes } from "./system/exit-codes.js";

/** A command line and what it does. */
type Example = readonly [line: string, does: string];

/**
 * Examples of each command, by name. Every flag appears in one of them. The
 * help of `ridl` shows the first example of each command.
 */
export const commandExamples: Readonly<Record<string, readonly Example[]>> = {
  init: [
    ["ridl init my-api", "create a contract and a server that runs it"],
    ["ridl init", "create them in the current folder"],
  ],
  generate: [
    ["ridl generate", "generate what ridl.config.yaml describes"],
    ["ridl generate --check", "fail in CI if generated files are out of date"],
    ["ridl generate --watch", "regenerate on every change"],
    ["ridl generate --dry-run", "list the files that would change"],
    [
      "ridl generate schema/*.ridl --out src/generated",
      "generate without a configuration",
    ],
    [
      "ridl generate --config api/ridl.config.yaml",
      "use another configuration",
    ],
    ["ridl generate --force", "replace files that ridl did not write"],
    [
      "ridl generate --compat webrpc",
      "also generate a client with webrpc's names",
    ],
    ["ridl generate --service Shop --unused keep", "generate one service"],
    [
      "ridl generate --match @public --ignore @internal",
      "select methods by annotation",
    ],
    ["ridl generate --check --format github", "annotate a pull request"],
  ],
  check: [
    ["ridl check", "report errors and advice"],
    ["ridl check --fix", "apply fixes that do not change the contract"],
    ["ridl check --fix-all", "apply all fixes"],
    ["ridl check --strict", "fail on warnings"],
    ["ridl check --all", "show every finding"],
    ["ridl check --format github", "annotate a pull request"],
    ["ridl check --config api/ridl.config.yaml", "use another configuration"],
  ],
  breaking: [
    [
      "ridl breaking --against main",
      "find changes that break existing clients",
    ],
    ["ridl breaking --against ../before", "compare with a folder"],
    [
      "ridl breaking --strict",
      "also require new clients to work with old servers",
    ],
    ["ridl breaking --all", "also show notes"],
    [
      "ridl breaking --format markdown --heading-level 3",
      "write a changelog section",
    ],
    [
      "ridl breaking --config api/ridl.config.yaml",
      "use another configuration",
    ],
  ],
  fmt: [
    ["ridl fmt", "format all documents"],
    ["ridl fmt --check", "fail if a document is not formatted"],
    ["ridl fmt - < shop.ridl", "format standard input"],
    ["ridl fmt --check --format github", "annotate a pull request"],
    ["ridl fmt --config api/ridl.config.yaml", "use another configuration"],
  ],
  export: [
    [
      "ridl export --format json shop.ridl",
      "print the schema for webrpc's generators",
    ],
    [
      "ridl export --format hash shop.ridl",
      "print webrpc's hash of the schema",
    ],
    [
      "ridl export --format ridl --match @public",
      "print the public methods as RIDL",
    ],
    ["ridl export --format ridl --ignore @internal", "exclude methods"],
    [
      "ridl export --format ir --service Shop --unused keep",
      "print the input of emitters",
    ],
    [
      "ridl export --format ir --config api/ridl.config.yaml",
      "use another configuration",
    ],
  ],
  package: [
    ["ridl package --out client", "write an npm package with the client"],
    [
      "ridl package --out client --name @acme/shop --version 1.2.0",
      "set its name and version",
    ],
    [
      "ridl package --out client --compat webrpc",
      "also include webrpc's names",
    ],
    ["ridl package --out client --service Shop", "include one service"],
    [
      "ridl package --out client --match @public --ignore @internal --unused omit",
      "include only the public methods",
    ],
    [
      "ridl package --out client --force",
      "replace files that ridl did not write",
    ],
    ["ridl package --out client --format json", "print diagnostics as JSON"],
    [
      "ridl package --out client --config api/ridl.config.yaml",
      "use another configuration",
    ],
  ],
  implement: [
    ["ridl implement", "add missing methods to your handlers"],
    ["ridl implement --check", "fail in CI if a handler is missing a method"],
    ["ridl implement --dry-run", "show what would change"],
    ["ridl implement --out src/handlers", "write handlers for new services"],
    [
      "ridl implement --rename GetBook=FindBook",
      "rename a method and keep its body",
    ],
    [
      "ridl implement --tsconfig server/tsconfig.json",
      "find handlers in another project",
    ],
    ["ridl implement --check --format github", "annotate a pull request"],
    [
      "ridl implement --service Shop --match @public",
      "implement part of the contract",
    ],
    ["ridl implement --ignore @internal --unused omit", "exclude methods"],
    [
      "ridl implement --config api/ridl.config.yaml",
      "use another configuration",
    ],
  ],
  mcp: [
    ["ridl mcp --url http://localhost:8080", "serve all methods as tools"],
    ["ridl mcp --read-only", "serve only methods that change nothing"],
    ['ridl mcp --header "X-Api-Key: secret"', "send a credential"],
    [
      "ridl mcp --address shop=https://{network}.example.com --parameter network=polygon",
      "set the address of a host and its parameter",
    ],
    ["ridl mcp --service Shop --match @tool", "serve selected methods"],
    ["ridl mcp --ignore @internal --unused omit", "exclude methods"],
    ["ridl mcp --config api/ridl.config.yaml", "use another configuration"],
  ],
  test: [
    ["ridl test http://localhost:8080", "test a running server"],
    [
      "ridl test http://localhost:8080 --writes",
      "also call methods that write",
    ],
    [
      "ridl test http://localhost:8080 --method Shop.*",
      "test selected methods",
    ],
    [
      "ridl test http://localhost:8080 --value projectId=1",
      "send values that the server knows",
    ],
    [
      'ridl test http://localhost:8080 --header "X-Api-Key: secret"',
      "send a credential",
    ],
    ["ridl test http://localhost:8080 --format junit", "write a report for CI"],
    [
      "ridl test http://localhost:8080 --seed 7 --runs 200",
      "repeat a run with more requests",
    ],
    [
      "ridl test http://localhost:8080 --timeout 5 --max-time 600",
      "set time limits",
    ],
    [
      "ridl test http://localhost:8080 --webrpc",
      "test a server generated by webrpc",
    ],
    [
      "ridl test http://localhost:8080 --address shop=http://localhost:9090",
      "set the address of a host",
    ],
    [
      "ridl test https://{network}.example.com --parameter network=polygon",
      "set the parameters in an address",
    ],
    [
      "ridl test http://localhost:8080 --service Shop --match @public --ignore @internal",
      "test part of the contract",
    ],
    [
      "ridl test http://localhost:8080 --unused omit --config api/ridl.config.yaml",
      "use another configuration",
    ],
  ],
  mock: [
    ["ridl mock", "serve the contract with mock data"],
    [
      "ridl mock --port 3000 --host 0.0.0.0",
      "listen on another port and address",
    ],
    ["ridl mock --seed demo", "generate different data"],
    [
      "ridl mock --latency 100-400 --error-rate 0.1",
      "simulate a slow, failing server",
    ],
    ["ridl mock --overrides mocks", "respond with your own files"],
    ["ridl mock --service Shop --match @public", "serve part of the contract"],
    ["ridl mock --ignore @internal --unused omit", "exclude methods"],
    ["ridl mock --config api/ridl.config.yaml", "use another configuration"],
  ],
  lsp: [
    ["ridl lsp --stdio", "start a language server for an editor"],
    ["ridl lsp --config api/ridl.config.yaml", "use another configuration"],
  ],
  explain: [
    ["ridl explain duplicate-method", "explain a diagnostic"],
    ["ridl explain", "list all diagnostics"],
  ],
};

/** Prints the examples section of a help text. */
export function printExamples(examples: readonly Example[]): string {
  const width = 42;
  const lines = examples.map(([line, does]) =>
    line.length < width
      ? `  $ ${line.padEnd(width)}${does}`
      : `  $ ${line}\n    ${" ".repeat(width)}${does}`,
  );
  return `\nExamples:\n${lines.join("\n")}`;
}

/** The meaning of each exit code, as shown at the end of the help text. */
export const exitCodeMeanings: readonly Example[] = [
  [String(exitCodes.success), "success"],
  [String(exitCodes.failure), "errors or outdated files"],
  [String(exitCodes.usage), "invalid command line"],
  [String(exitCodes.crash), "a bug in ridlkit; please report it"],
];

/** Prints the exit codes on one line. */
export function printExitCodes(): string {
  const texts = exitCodeMeanings.map((words) => words.join(" "));
  return `\nExit codes: ${texts.join(", ")}.`;
}
