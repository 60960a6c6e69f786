import { copyJars } from "./copy-jars.js";

/** The folder with the compiler and the libraries of clients in Kotlin. */
export const kotlin = "test/behavior/.work/kotlin";

/**
 * Downloads what compiles and runs clients in Kotlin. Returns what is missing,
 * or null.
 */
export function prepareKotlin() {
  return copyJars("test/behavior/kotlin/pom.xml", kotlin);
}
