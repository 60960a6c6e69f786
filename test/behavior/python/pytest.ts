import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../run-command.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The folder with the programs of the virtual environment. */
export const bin = join(here, "../.work/python/bin");

/** Runs the tests in a file with the packages in a folder. */
export const pytest = (
  folder: string,
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  runCommand(
    join(bin, "python"),
    ["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", file],
    here,
    { ...env, PYTHONPATH: join(folder, "python") },
  );
