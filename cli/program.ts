import {
  Command,
  CommanderError,
  InvalidArgumentError,
  Option,
} from "commander";
import { invariant } from "../generator/ir/invariant.js";
import { explainFailure } from "./report/failure.js";
import { formats, type Format } from "./report/report.js";
import type { System } from "./system/system.js";
import { printExamples, printFirstExamples, usages } from "./usage.js";

/** Runs a command with its arguments. Returns the exit code. */
type Execute<Flags> = (
  args: readonly string[],
  flags: Flags,
  system: System,
) => Promise<number>;

/**
 * Creates the command line from the usage texts of its commands. `done`
 * receives the exit code. `targets` is the section of the help of `generate`
 * that lists them.
 */
export function createProgram(
  system: System,
  done: (exitCode: number) => void,
  targets = "",
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
    })
    .hook("preAction", (_, command) => {
      // This command first finds out whether there is any work.
      if (command.name() !== "generate") system.beforeWork();
    });
  addCommands(createAdd(program, system, done));
  program.commands
    .find((command) => command.name() === "generate")
    ?.addHelpText("after", targets);
  addHelp(program);
  addVersion(program, system);
  addComplete(program, system, done);
  return program;
}

/**
 * Returns a function that adds a command. The command's module is loaded when
 * the command runs, so that help is printed at once. Errors appear in the format
 * of the command's diagnostics.
 */
function createAdd(
  program: Command,
  system: System,
  done: (exitCode: number) => void,
) {
  return <Flags extends object>(
    name: string,
    load: () => Promise<Execute<Flags>>,
    formatOf: (flags: Flags) => Format = () => "text",
  ): void => {
    const command = addCommand(program, name);
    command.action(async () => {
      const flags = command.opts<Flags>();
      const args: readonly (string | undefined)[] =
        command.processedArgs.flat();
      try {
        const execute = await load();
        const given = args.filter((each) => each !== undefined);
        done(await execute(given, flags, system));
      } catch (error) {
        done(explainFailure(error, formatOf(flags), system));
      }
    });
  };
}

function formatOf({ format }: { readonly format: Format }): Format {
  return format;
}

/** Adds all commands in the order of the help. */
function addCommands(add: ReturnType<typeof createAdd>): void {
  add(
    "generate",
    async () => (await import("./commands/generate.js")).generate,
    formatOf,
  );
  add(
    "package",
    async () => (await import("./commands/package.js")).packageClient,
    formatOf,
  );
  add(
    "check",
    async () => (await import("./commands/check.js")).check,
    formatOf,
  );
  add(
    "breaking",
    async () => (await import("./commands/breaking.js")).breaking,
    ({ format }) => (format === "markdown" ? "text" : format),
  );
  add("fmt", async () => (await import("./commands/fmt.js")).fmt, formatOf);
  add(
    "export",
    async () => (await import("./commands/export.js")).exportContract,
  );
  add(
    "import",
    async () => (await import("./commands/import.js")).importDocument,
    formatOf,
  );
  add(
    "implement",
    async () => (await import("./commands/implement.js")).implement,
    formatOf,
  );
  add(
    "migrate",
    async () => (await import("./commands/migrate.js")).migrate,
    formatOf,
  );
  add("call", async () => (await import("./commands/call.js")).call);
  add("test", async () => (await import("./commands/test.js")).testServer);
  add(
    "conformance",
    async () =>
      (await import("./commands/conformance/conformance.js")).conformance,
  );
  add("mock", async () => (await import("./commands/mock.js")).mock);
  add("mcp", async () => (await import("./commands/mcp.js")).serveMcp);
  add(
    "template",
    async () => (await import("./commands/template.js")).template,
  );
  add("lsp", async () => (await import("./commands/lsp.js")).serveLanguage);
  add(
    "completion",
    async () => (await import("./commands/completion.js")).completion,
  );
  add("explain", async () => (await import("./commands/explain.js")).explain);
  add("init", async () => (await import("./commands/init.js")).init);
}

/** Adds a command with the arguments and flags of its usage text. */
function addCommand(program: Command, name: string): Command {
  const command = program.command(name);
  const usage = usages.get(name);
  invariant(usage !== undefined, `there is no usage text for ${name}`);
  command.description(usage.description);
  if (usage.alias !== null) command.alias(usage.alias);
  for (const [term, does] of usage.arguments) {
    command.argument(term, does, term === "[folder]" ? "." : undefined);
  }
  for (const [term, does] of usage.flags) {
    const option = new Option(term, does);
    const set =
      settings[`${name} ${option.long}`] ?? settings[`${option.long}`];
    command.addOption(set?.(option) ?? option);
  }
  return command
    .addHelpText("after", () => printExamples(usage.examples))
    .showHelpAfterError(
      `run \`ridl ${name} --help\` for its arguments and flags`,
    );
}

/**
 * Settings for flags that need any. Keys for one command begin with its name.
 */
const settings: Readonly<Record<string, (option: Option) => Option>> = {
  "--service": (option) => option.argParser(addNames),
  "--match": (option) => option.argParser(addNames),
  "--ignore": (option) => option.argParser(addNames),
  "--unused": (option) => option.choices(["keep", "omit"]),
  "--compat": (option) => option.choices(["webrpc"]),
  "--dry-run": (option) => option.conflicts("check"),
  "--watch": (option) => option.conflicts(["check", "dryRun"]),
  "--format": (option) => option.choices(formats).default("text"),
  "--run": repeated,
  "--header": repeated,
  "--address": repeated,
  "--parameter": repeated,
  "--value": repeated,
  "--rename": (option) => option.argParser(addText),
  "--heading-level": (option) => option.argParser(readHeadingLevel).default(2),
  "package --out": (option) => option.makeOptionMandatory(),
  "breaking --format": (option) =>
    option.choices([...formats, "markdown"]).default("text"),
  "export --format": (option) =>
    option.choices(["json", "ridl", "hash", "ir"]).makeOptionMandatory(),
  "call --schema": repeated,
  "call --timeout": (option) => option.argParser(readPositive),
  "call --format": (option) => option.choices(["text", "json"]).default("text"),
  "test --method": (option) => option.argParser(addNames),
  "test --format": (option) =>
    option.choices(["text", "json", "junit"]).default("text"),
  "test --seed": (option) => option.argParser(readCount),
  "test --runs": (option) => option.argParser(readCount).default(50),
  "test --timeout": (option) => option.argParser(readPositive),
  "test --max-time": (option) => option.argParser(readPositive),
  "mcp --tools": (option) => option.choices(["list", "search"]),
  "mock --port": (option) => option.default("8080"),
  "mock --host": (option) => option.default("127.0.0.1"),
  "mock --seed": (option) => option.default(""),
  "mock --latency": (option) => option.default("0"),
  "mock --error-rate": (option) => option.default("0"),
};

function repeated(option: Option): Option {
  return option.argParser(addText).default([], "none");
}

function addText(
  text: string,
  before: readonly string[] = [],
): readonly string[] {
  return [...before, text];
}

function addNames(
  text: string,
  before: readonly string[] = [],
): readonly string[] {
  return [...before, ...text.split(",").map((name) => name.trim())];
}

/** Parses a heading level. Markdown has six levels, and the report uses two. */
function readHeadingLevel(text: string): number {
  if (/^[1-5]$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number from 1 to 5.");
}

function readCount(text: string): number {
  if (/^[0-9]{1,9}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be 0 or a positive whole number.");
}

function readPositive(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1_000_000) return value;
  throw new InvalidArgumentError("It must be a positive number.");
}

/** Adds the command that the scripts of `ridl completion` run. */
function addComplete(
  program: Command,
  system: System,
  done: (exitCode: number) => void,
): void {
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: readonly string[]) => {
      const { complete } = await import("./commands/complete.js");
      const commands = program
        .createHelp()
        .visibleCommands(program)
        .map((command) => ({
          name: command.name(),
          description: command.description(),
          flags: command.options.map((option) => ({
            name: option.long ?? "",
            description: option.description,
            takesValue: option.required,
            choices: option.argChoices ?? [],
          })),
        }));
      done(await complete(words, commands, system));
    });
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

/**
 * Replaces Commander's `help`, which prints the main help for unknown commands.
 */
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
