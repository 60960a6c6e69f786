import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../run-command.js";

/** Where `scripts/test-long/prepare-kotlin.js` puts what `pom.xml` lists. */
const jars = fileURLToPath(new URL("../.work/kotlin", import.meta.url));

/** Returns a class path with the jars whose names begin with one of these. */
function jarsOf(...prefixes: readonly string[]): string {
  return readdirSync(jars)
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .map((name) => join(jars, name))
    .join(delimiter);
}

/** A class path with the libraries that clients need, and other folders. */
export function classPath(...folders: readonly string[]): string {
  const libraries = ["kotlin-stdlib", "kotlinx-", "okhttp", "okio"];
  return [...folders, jarsOf(...libraries)].join(delimiter);
}

/**
 * Compiles files and folders, also against the classes of earlier runs, whose
 * internal declarations they can use. Warnings are errors. Returns the messages
 * of the compiler.
 */
export function compile(
  out: string,
  sources: readonly string[],
  classes: readonly string[] = [],
): Promise<string> {
  const friends = classes.map((folder) => `-Xfriend-paths=${folder}`);
  return runCommand(
    "java",
    [
      ...["-Xss4m", "-cp", jarsOf("")],
      "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
      ...["-no-stdlib", "-no-reflect", "-jvm-target", "17", "-Werror"],
      ...friends,
      ...["-cp", classPath(...classes), "-d", out, ...sources],
    ],
    jars,
  );
}
