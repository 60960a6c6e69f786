import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const run = (command, args, stdio = "inherit") =>
  spawnSync(command, args, { stdio }).status ?? 1;

/**
 * Copies the libraries that a `pom.xml` lists into a folder, for a JDK. Returns
 * what is missing, or null.
 */
export function copyJars(list, folder) {
  if (run("javac", ["-version"], "ignore") !== 0) {
    return "No JDK is installed.";
  }
  // Several parts need these files.
  const copied = `${folder}.xml`;
  const text = readFileSync(list, "utf8");
  if (
    existsSync(folder) &&
    existsSync(copied) &&
    readFileSync(copied, "utf8") === text
  )
    return null;
  if (run("mvn", ["-v"], "ignore") !== 0) {
    return "Maven is not installed.";
  }
  const args = ["-q", "-B", "-f", list, "dependency:copy-dependencies"];
  const target = `-DoutputDirectory=${process.cwd()}/${folder}`;
  if (run("mvn", [...args, target]) !== 0)
    return "Maven Central is not reachable.";
  writeFileSync(copied, text);
  return null;
}
