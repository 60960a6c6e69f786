import {
  Command,
  CommanderError,
  InvalidArgumentError,
  Option,
} from "commander";
import {
  commandExamples,
  printExamples,
  printExitCodes,
} from "./command-examples.js";
import type { LspFlags } from "./commands/lsp.js";
import type { TestFlags } from "./commands/test.js";
import { explainFailure } from "./report/failure.js";
import { formats, type Format } from "./report/report.js";
import type { System } from "./system/system.js";

/** Prints the first example of each command, and the exit codes. */
function printFirstExamples(): string {
  const first = Object.values(commandExamples).flatMap(([each]) =>
    each ? [each] : [],
  );
  return `${printExamples(first)}\n${printExitCodes()}`;
}

/** Runs a command. Returns the exit code. */
type Execute<Input, Flags> = (
  input: Input,
  flags: Flags,
  system: System,
) => Promise<number>;

/**
 * Defines the commands and their flags.
 *
 * `done` receives the exit code of the command.
 */
export function createProgram(
  system: System,
  done: (exitCode: number) => void,
): Command {
  const program = new Command("ridl")
    .description("Typed clients and validated servers from RIDL schemas.")
    .version(system.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .addHelpText("after", printFirstExamples)
    .showHelpAfterError("run `ridl --help` for all commands and flags")
    .exitOverride()
    // In `ridl package`, `--version` sets the version of the package.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => system.stdout.write(text),
      writeErr: (text) => system.stderr.write(text),
    });
  addOutputCommands(program, start);
  addReadingCommands(program, start);
  addImplement(program, start);
  addTestCommand(program, start);
  addRunningCommands(program, start);
  addLspCommand(program, start);
  addOtherCommands(program, start);
  addHelp(program);
  addVersion(program, system);
  for (const command of program.commands) {
    const examples = commandExamples[command.name()];
    if (examples) command.addHelpText("after", () => printExamples(examples));
    command.showHelpAfterError(
      `run \`ridl ${command.name()} --help\` for its arguments and flags`,
    );
  }
  return program;

  function start<Input, Flags>(
    load: () => Promise<Execute<Input, Flags>>,
    formatOf: (flags: Flags) => Format = () => "text",
  ) {
    return async (input: Input, flags: Flags): Promise<void> => {
      try {
        const execute = await load();
        done(await execute(input, flags, system));
      } catch (error) {
        done(explainFailure(error, formatOf(flags), system));
      }
    };
  }
}

/**
 * Creates the action of a command. Its module is loaded when it runs, so that
 * help and the version are printed at once. Errors appear in the format of its
 * diagnostics.
 */
type Start = <Input, Flags>(
  load: () => Promise<Execute<Input, Flags>>,
  formatOf?: (flags: Flags) => Format,
) => (input: Input, flags: Flags) => Promise<void>;

function addSchemaCommand(
  program: Command,
  name: string,
  description: string,
): Command {
  return program
    .command(name)
    .description(description)
    .argument(
      "[schema...]",
      "documents, folders or patterns (default: those in the configuration)",
    )
    .option(
      "--config <file>",
      "configuration file (default: ridl.config.yaml)",
    );
}

/** Parses a heading level. Markdown has six levels, and the report uses two. */
function readHeadingLevel(text: string): number {
  if (!/^[1-5]$/u.test(text)) {
    throw new InvalidArgumentError("It must be a number from 1 to 5.");
  }
  return Number(text);
}

function formatOption(): Option {
  return new Option("--format <format>", "format of the diagnostics")
    .choices(formats)
    .default("text");
}

function formatOf({ format }: { readonly format: Format }): Format {
  return format;
}

function compatOption(): Option {
  return new Option(
    "--compat <client>",
    "also generate a client with the names of another generator",
  ).choices(["webrpc"]);
}

/** Adds the flags that select part of the contract. */
function addFilter(command: Command): Command {
  const split = (text: string, before: readonly string[] = []) => [
    ...before,
    ...text.split(",").map((part) => part.trim()),
  ];
  return command
    .option(
      "--service <names>",
      "include only these services (separated by commas)",
      split,
    )
    .option(
      "--match <annotations>",
      "include only methods with one of these annotations, e.g. @public,@auth:X-Key",
      split,
    )
    .option(
      "--ignore <annotations>",
      "exclude methods with one of these annotations, e.g. @internal",
      split,
    )
    .addOption(
      new Option(
        "--unused <what>",
        "keep or omit types and errors that no method uses (default: omit if a filter excludes methods)",
      ).choices(["keep", "omit"]),
    );
}

function addOutputCommands(program: Command, start: Start): void {
  addFilter(
    addSchemaCommand(
      program,
      "generate",
      "write clients, servers, types and validators",
    ),
  )
    .alias("gen")
    .option("--out <folder>", "output folder")
    .addOption(compatOption())
    .option("--check", "write nothing; fail if a file would change")
    .addOption(
      new Option(
        "--dry-run",
        "write nothing; list what would change",
      ).conflicts("check"),
    )
    .addOption(
      new Option("--watch", "regenerate on every change").conflicts([
        "check",
        "dryRun",
      ]),
    )
    .option("--force", "regenerate everything and replace conflicting files")
    .addOption(formatOption())
    .action(
      start(
        async () => (await import("./commands/generate.js")).generate,
        formatOf,
      ),
    );
  addFilter(
    addSchemaCommand(
      program,
      "package",
      "write an npm package that contains the client, ready to publish",
    ),
  )
    .requiredOption("--out <folder>", "folder to write the package to")
    .option("--name <name>", "name of the package, e.g. @scope/api-client")
    .option("--version <version>", "version (default: the schema's version)")
    .addOption(compatOption())
    .option("--force", "replace conflicting files")
    .addOption(formatOption())
    .action(
      start(
        async () => (await import("./commands/package.js")).packageClient,
        formatOf,
      ),
    );
}

function addImplement(program: Command, start: Start): void {
  addFilter(
    addSchemaCommand(
      program,
      "implement",
      "add the contract's methods to your own handlers",
    ),
  )
    .option("--out <path>", "folder or file for the handlers of new services")
    .option(
      "--tsconfig <file>",
      "project that contains the handlers (default: tsconfig.json)",
    )
    .option(
      "--rename <old=new>",
      "rename a method; can be repeated",
      (renaming: string, others: readonly string[] = []) => [
        ...others,
        renaming,
      ],
    )
    .option("--check", "write nothing; fail if a method is missing or unknown")
    .addOption(
      new Option(
        "--dry-run",
        "write nothing; list what would change",
      ).conflicts("check"),
    )
    .addOption(formatOption())
    .action(
      start(
        async () => (await import("./commands/implement.js")).implement,
        formatOf,
      ),
    );
}

function addReadingCommands(program: Command, start: Start): void {
  addSchemaCommand(program, "check", "check documents without writing anything")
    .option("--fix", "apply fixes that do not change the contract")
    .option("--fix-all", "also apply fixes that change the contract")
    .option("--strict", "also fail on warnings")
    .option("--all", "show every finding instead of the first few of each kind")
    .addOption(formatOption())
    .action(
      start(async () => (await import("./commands/check.js")).check, formatOf),
    );
  addSchemaCommand(
    program,
    "breaking",
    "find changes that break existing clients and servers",
  )
    .option(
      "--against <revision>",
      "git revision, or a folder such as ../before (default: the main branch)",
    )
    .option("--strict", "also require new clients to work with old servers")
    .option("--all", "also show notes")
    .addOption(
      new Option(
        "--format <format>",
        "format of the findings; markdown is for pull requests and changelogs",
      )
        .choices([...formats, "markdown"])
        .default("text"),
    )
    .addOption(
      new Option(
        "--heading-level <level>",
        "level of the first Markdown heading",
      )
        .argParser(readHeadingLevel)
        .default(2),
    )
    .action(
      start(
        async () => (await import("./commands/breaking.js")).breaking,
        ({ format }) => (format === "markdown" ? "text" : format),
      ),
    );
  addSchemaCommand(program, "fmt", "format documents; `-` reads standard input")
    .option("--check", "write nothing; fail if a file would change")
    .addOption(formatOption())
    .action(
      start(async () => (await import("./commands/fmt.js")).fmt, formatOf),
    );
  addFilter(
    addSchemaCommand(program, "export", "print the contract for other tools"),
  )
    .addOption(
      new Option(
        "--format <format>",
        "webrpc's JSON form or its hash, one RIDL document, or the input of emitters",
      )
        .choices(["json", "ridl", "hash", "ir"])
        .makeOptionMandatory(),
    )
    .action(
      start(async () => (await import("./commands/export.js")).exportContract),
    );
}

/** Adds a value to the values of a repeatable option. */
function addText(text: string, all: readonly string[]): readonly string[] {
  return [...all, text];
}

/** Creates a repeatable option. */
function listOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(addText).default([], "none");
}

/** Adds the options of commands that call a running server. */
function addServerOptions(command: Command): Command {
  return command
    .addOption(
      listOption("--header <header>", 'send a header, e.g. "X-Key: 1"'),
    )
    .addOption(listOption("--address <host=url>", "address of a host"))
    .addOption(
      listOption(
        "--parameter <name=value>",
        "value for a parameter in an address, e.g. network=polygon",
      ),
    );
}

function addTestCommand(program: Command, start: Start): void {
  const command = program
    .command("test")
    .description("test a running server against the contract")
    .argument("<url>", "address of the server, e.g. http://localhost:8080")
    .argument(
      "[schema...]",
      "documents, folders or patterns (default: those in the configuration)",
    )
    .option("--config <file>", "configuration file (default: ridl.config.yaml)")
    .option("--writes", "also call methods that may change data")
    .option(
      "--method <name>",
      "only these methods, e.g. Shop.GetBook or Shop.*",
    )
    .addOption(
      listOption(
        "--value <field=value>",
        "valid value for a field, e.g. projectId=1",
      ),
    )
    .option(
      "--webrpc",
      "accept known differences in servers generated by webrpc",
    )
    .option("--seed <number>", "repeat an earlier run", readCount)
    .option(
      "--runs <number>",
      "number of valid requests to send to each method",
      readCount,
      50,
    )
    .option(
      "--timeout <seconds>",
      "time limit for each request",
      readPositive,
      10,
    )
    .option(
      "--max-time <seconds>",
      "time limit for the whole run",
      readPositive,
      60,
    )
    .addOption(
      new Option("--format <format>", "format of the report")
        .choices(["text", "json", "junit"])
        .default("text"),
    );
  const run = start(
    async () => (await import("./commands/test.js")).testServer,
  );
  addFilter(addServerOptions(command)).action(
    (url: string, patterns: readonly string[], flags: TestFlags) =>
      run([url, ...patterns], flags),
  );
}

function readCount(text: string): number {
  if (/^[0-9]{1,9}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

function readPositive(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1_000_000) return value;
  throw new InvalidArgumentError("It must be a positive number.");
}

function addRunningCommands(program: Command, start: Start): void {
  addFilter(
    addSchemaCommand(program, "mock", "serve the contract with mock data"),
  )
    .option("--port <port>", "port; 0 picks a free one", "8080")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--seed <seed>", "seed of the mock data", "")
    .option(
      "--latency <ms>",
      "response time in milliseconds, e.g. 100-400",
      "0",
    )
    .option("--error-rate <rate>", "fraction of calls that fail, e.g. 0.1", "0")
    .option("--overrides <folder>", "folder of custom JSON responses")
    .action(start(async () => (await import("./commands/mock.js")).mock));
  const mcp = addSchemaCommand(
    program,
    "mcp",
    "serve methods as Model Context Protocol tools on standard input and output",
  ).option("--url <address>", "base address of the server that tools call");
  addFilter(addServerOptions(mcp))
    .option("--read-only", "serve only methods marked as `@readonly`")
    .action(start(async () => (await import("./commands/mcp.js")).serveMcp));
}

function addLspCommand(program: Command, start: Start): void {
  const run = start(
    async () => (await import("./commands/lsp.js")).serveLanguage,
  );
  program
    .command("lsp")
    .description("start a language server on standard input and output")
    .option(
      "--config <file>",
      "configuration file (default: the nearest ridl.config.yaml above each document)",
    )
    .option("--stdio", "accepted for editors that pass it; has no effect")
    .action((flags: LspFlags) => run([], flags));
}

function addOtherCommands(program: Command, start: Start): void {
  program
    .command("explain")
    .description("explain a diagnostic, with examples")
    .argument("[code]", "e.g. duplicate-method (default: list all codes)")
    .action(start(async () => (await import("./commands/explain.js")).explain));
  program
    .command("init")
    .description("create a contract and a server that runs it")
    .argument("[folder]", "folder to create", ".")
    .action(start(async () => (await import("./commands/init.js")).init));
}

/** Adds the names that other tools use for `--version`. */
function addVersion(program: Command, system: System): void {
  const print = (): void => system.stdout.write(`${system.version}\n`);
  program.command("version", { hidden: true }).action(print);
  program.addOption(new Option("-V").hideHelp());
  program.on("option:V", () => {
    print();
    throw new CommanderError(0, "commander.version", system.version);
  });
}

/** Replaces Commander's `help`, which shows all help for unknown commands. */
function addHelp(program: Command): void {
  program
    .command("help")
    .description("print the help of a command")
    .argument("[command]")
    .action((name?: string) => {
      const command =
        name === undefined
          ? program
          : program.commands.find((command) => command.name() === name);
      if (command) command.outputHelp();
      else program.error(`error: unknown command '${name}'`);
    });
}
