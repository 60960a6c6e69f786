import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const folder = "test/behavior/.work";

/** The folder with the compiler and the libraries of clients in Kotlin. */
export const kotlin = `${folder}/kotlin`;

const run = (command, args, stdio = "inherit") =>
  spawnSync(command, args, { stdio }).status ?? 1;

/**
 * Downloads what compiles and runs clients in Kotlin. Returns what is missing,
 * or null.
 */
export function prepareKotlin() {
  if (run("javac", ["-version"], "ignore") !== 0) {
    return "No JDK is installed.";
  }
  // Several parts need these files.
  const list = "test/behavior/kotlin/pom.xml";
  const downloaded = `${folder}/kotlin.xml`;
  const text = readFileSync(list, "utf8");
  if (
    existsSync(kotlin) &&
    existsSync(downloaded) &&
    readFileSync(downloaded, "utf8") === text
  )
    return null;
  if (run("mvn", ["-v"], "ignore") !== 0) {
    return "Maven is not installed.";
  }
  const args = ["-q", "-B", "-f", list, "dependency:copy-dependencies"];
  const target = `-DoutputDirectory=${process.cwd()}/${kotlin}`;
  if (run("mvn", [...args, target]) !== 0)
    return "Maven Central is not reachable.";
  writeFileSync(downloaded, text);
  return null;
}
