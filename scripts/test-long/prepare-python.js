import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const folder = "test/behavior/.work/python";

/** A Python that has the packages that tests need, once they are installed. */
export const python = `${folder}/bin/python`;

const run = (command, args, stdio = "inherit") =>
  spawnSync(command, args, { stdio }).status ?? 1;

/**
 * Installs the packages that generated clients in Python and their tests need.
 * Returns what is missing, or null.
 */
export function preparePython() {
  const isNew = "import sys; sys.exit(sys.version_info < (3, 10))";
  if (run("python3", ["-c", isNew], "ignore") !== 0) {
    return "Python 3.10 is not installed.";
  }
  if (
    !existsSync(folder) &&
    run("python3", ["-m", "venv", folder], "ignore") !== 0
  ) {
    return "Python cannot create virtual environments.";
  }
  const packages = ["-r", "test/behavior/python/requirements.txt"];
  return run(python, ["-m", "pip", "install", "--quiet", ...packages]) === 0
    ? null
    : "The Python package registry is not reachable.";
}
