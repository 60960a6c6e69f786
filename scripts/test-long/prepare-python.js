import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

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
  // Several parts need these packages.
  const list = "test/behavior/python/requirements.txt";
  const installed = `${folder}/requirements.txt`;
  const text = readFileSync(list, "utf8");
  if (existsSync(installed) && readFileSync(installed, "utf8") === text)
    return null;
  if (run(python, ["-m", "pip", "install", "--quiet", "-r", list]) !== 0)
    return "The Python package registry is not reachable.";
  writeFileSync(installed, text);
  return null;
}
