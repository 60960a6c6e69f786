import { Command, CommanderError, Option } from "commander";
import type { BreakingFlags } from "./commands/breaking.js";
import type { CheckFlags } from "./commands/check.js";
import type { ExportFlags } from "./commands/export.js";
import type { FmtFlags } from "./commands/fmt.js";
import type { GenerateFlags } from "./commands/generate.js";
import type { PackageFlags } from "./commands/package.js";
import { explainFailure } from "./report/failure.js";
import type { System } from "./system/system.js";
import type { Format } from "./report/report.js";
import { formats } from "./report/report.js";

const examples = `
Examples:
  $ ridl init my-api                    a first contract that generates and runs
  $ ridl generate                       what ridl.config.yaml says
  $ ridl generate schema/*.ridl --out src/generated
  $ ridl generate --check               fails in CI when somebody forgot to generate
  $ ridl generate --watch               again at every change
  $ ridl check --format github          annotations in a pull request
  $ ridl check --fix                    repairs what can be repaired safely
  $ ridl breaking --against main        what clients and servers of before trip over
  $ ridl fmt --check                    is everything formatted?
  $ ridl export --format json a.ridl    for webrpc's own generators
  $ ridl package --out client           an npm package of the client
  $ ridl explain duplicate-method       what a diagnostic means

Exit codes: 0 in order, 1 faults or drift, 2 usage, 70 a fault of ridlkit.`;

/** Runs a command, and turns whatever it throws into words and a code. */
type Run = (
  format: Format | undefined,
  command: () => Promise<number>,
) => Promise<void>;

/**
 * The commands and their flags. The module of a command is loaded when it
 * runs, so that help and version come at once.
 *
 * Input: `done` is told the exit code of the command.
 */
export function createProgram(
  system: System,
  done: (exitCode: number) => void,
): Command {
  const run: Run = async (format = "text", command) => {
    try {
      done(await command());
    } catch (error) {
      done(explainFailure(error, format, system));
    }
  };
  const program = new Command("ridl")
    .description("Typed clients and validated servers from RIDL schemas.")
    .version(system.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .addHelpText("after", examples)
    .showHelpAfterError("run `ridl --help` for all commands and flags")
    .exitOverride()
    // `ridl package --version` is about the package.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => system.stdout.write(text),
      writeErr: (text) => system.stderr.write(text),
    });
  addGenerate(program, system, run);
  addCheck(program, system, run);
  addBreaking(program, system, run);
  addFmt(program, system, run);
  addExport(program, system, run);
  addExplain(program, system, run);
  addPackage(program, system, run);
  addInit(program, system, run);
  addHelp(program);
  addVersion(program, system);
  for (const command of program.commands) {
    command.showHelpAfterError(
      `run \`ridl ${command.name()} --help\` for its arguments and flags`,
    );
  }
  return program;
}

const schemaArgument = [
  "[schema...]",
  "documents, folders or patterns; default: what the configuration says",
] as const;

const configOption = [
  "--config <file>",
  "configuration file (default: ridl.config.yaml)",
] as const;

function formatOption(): Option {
  return new Option("--format <format>", "how diagnostics are written")
    .choices(formats)
    .default("text");
}

function compatOption(): Option {
  return new Option(
    "--compat <client>",
    "also the names of another generator's client",
  ).choices(["webrpc"]);
}

function addGenerate(program: Command, system: System, run: Run): void {
  program
    .command("generate")
    .alias("gen")
    .description("write clients, servers, types and validators")
    .argument(...schemaArgument)
    .option(...configOption)
    .option("--out <folder>", "output folder")
    .addOption(compatOption())
    .option("--check", "write nothing; fail if anything would change")
    .addOption(
      new Option("--dry-run", "write nothing; say what would change").conflicts(
        "check",
      ),
    )
    .addOption(
      new Option("--watch", "generate again at every change").conflicts([
        "check",
        "dryRun",
      ]),
    )
    .option("--force", "generate anew, and replace files that are in the way")
    .addOption(formatOption())
    .action((patterns: string[], flags: GenerateFlags) =>
      run(flags.format, async () => {
        const { generate } = await import("./commands/generate.js");
        return generate(patterns, flags, system);
      }),
    );
}

function addCheck(program: Command, system: System, run: Run): void {
  program
    .command("check")
    .description("find faults without writing anything")
    .argument(...schemaArgument)
    .option(...configOption)
    .option("--fix", "repair what can be repaired without a change of meaning")
    .option("--fix-all", "make repairs that change the contract, too")
    .option("--strict", "fail on warnings, too")
    .option("--all", "show every finding, however many there are of a kind")
    .addOption(formatOption())
    .action((patterns: string[], flags: CheckFlags) =>
      run(flags.format, async () => {
        const { check } = await import("./commands/check.js");
        return check(patterns, flags, system);
      }),
    );
}

function addBreaking(program: Command, system: System, run: Run): void {
  program
    .command("breaking")
    .description("find what breaks clients, servers and code of before")
    .argument(...schemaArgument)
    .option(...configOption)
    .option(
      "--against <revision>",
      "git revision, or a folder such as ../before (default: the main branch)",
    )
    .option("--strict", "clients may be newer than servers, too")
    .option("--all", "show notes, too")
    .addOption(formatOption())
    .action((patterns: string[], flags: BreakingFlags) =>
      run(flags.format, async () => {
        const { breaking } = await import("./commands/breaking.js");
        return breaking(patterns, flags, system);
      }),
    );
}

function addFmt(program: Command, system: System, run: Run): void {
  program
    .command("fmt")
    .description("format documents; from standard input to output with `-`")
    .argument(...schemaArgument)
    .option(...configOption)
    .option("--check", "write nothing; fail if anything would change")
    .addOption(formatOption())
    .action((patterns: string[], flags: FmtFlags) =>
      run(flags.format, async () => {
        const { fmt } = await import("./commands/fmt.js");
        return fmt(patterns, flags, system);
      }),
    );
}

function addExport(program: Command, system: System, run: Run): void {
  program
    .command("export")
    .description("print the contract for other tools")
    .argument(...schemaArgument)
    .option(...configOption)
    .addOption(
      new Option(
        "--format <format>",
        "webrpc's JSON form or its hash, one RIDL document, or what emitters see",
      )
        .choices(["json", "ridl", "hash", "ir"])
        .makeOptionMandatory(),
    )
    .action((patterns: string[], flags: ExportFlags) =>
      run("text", async () => {
        const { exportContract } = await import("./commands/export.js");
        return exportContract(patterns, flags, system);
      }),
    );
}

function addExplain(program: Command, system: System, run: Run): void {
  program
    .command("explain")
    .description("print what a diagnostic means, with examples")
    .argument("[code]", "e.g. duplicate-method; without one, all codes")
    .action((code?: string) =>
      run("text", async () => {
        const { explain } = await import("./commands/explain.js");
        return explain(code, system);
      }),
    );
}

function addPackage(program: Command, system: System, run: Run): void {
  program
    .command("package")
    .description("write an npm package of the client, ready to publish")
    .argument(...schemaArgument)
    .option(...configOption)
    .requiredOption("--out <folder>", "folder of the package")
    .option("--name <name>", "name of the package, e.g. @scope/api-client")
    .option("--version <version>", "version (default: what the schema says)")
    .addOption(compatOption())
    .option("--force", "replace files that are in the way")
    .addOption(formatOption())
    .action((patterns: string[], flags: PackageFlags) =>
      run(flags.format, async () => {
        const { packageClient } = await import("./commands/package.js");
        return packageClient(patterns, flags, system);
      }),
    );
}

function addInit(program: Command, system: System, run: Run): void {
  program
    .command("init")
    .description("write a first contract that generates and runs")
    .argument("[folder]", "where to", ".")
    .action((folder: string) =>
      run("text", async () => {
        const { init } = await import("./commands/init.js");
        return init(folder, system);
      }),
    );
}

/** What other tools call `--version`. */
function addVersion(program: Command, system: System): void {
  const print = (): void => system.stdout.write(`${system.version}\n`);
  program.command("version", { hidden: true }).action(print);
  program.addOption(new Option("-V").hideHelp());
  program.on("option:V", () => {
    print();
    throw new CommanderError(0, "commander.version", system.version);
  });
}

/** In place of commander's own, which shows all help for an unknown command. */
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
