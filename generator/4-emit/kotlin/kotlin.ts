import type { OutputFile } from "../emitter/emitter.js";
import { createConfigurable, type Target } from "../emitter/target.js";
import { findUnsupportedPatterns } from "../templates/find-unsupported-patterns.js";
import { findUnsupportedReceivers } from "../templates/find-unsupported-receivers.js";
import kotlinSet from "../templates/own/kotlin-set.json" with { type: "json" };
import { findOwnSet, printOwnSet } from "../templates/template-set.js";
import { findLargeClasses } from "./find-large-classes.js";

/** The setting of the target `kotlin`. */
export interface KotlinOptions {
  /** E.g. `com.acme.shop`. Default: the name of the first host. */
  readonly package?: string;
}

/**
 * Writes a client in Kotlin to the folder `kotlin`. Its files are in
 * `templates/kotlin`.
 */
export const kotlinEmitter = createConfigurable(
  {
    schema: {
      description: "Options for the client. Default: `{}`.",
      type: "object",
      additionalProperties: false,
      properties: {
        package: {
          description:
            "The package of the code. Default: the name of the first host.",
          type: "string",
          pattern: "^[a-z][A-Za-z0-9_]*(\\.[a-z][A-Za-z0-9_]*)*$",
          examples: ["com.acme.shop"],
        },
      },
    },
    example: { package: "com.acme.shop" },
  },
  {},
  (setting: KotlinOptions): Target => ({
    name: "kotlin",
    summary: "A client in Kotlin.",
    guide: "kotlin.md",
    findFaults: (contract) => [
      ...findLargeClasses(contract),
      ...findUnsupportedReceivers(contract, "Kotlin"),
      ...findUnsupportedPatterns(
        contract,
        "Kotlin",
        "add a function that checks the value, as the guide to the `kotlin` target shows",
      ),
    ],
    emit: (contract, { skew }, context) =>
      placeRuntime(
        printOwnSet(kotlinSet, contract, context, {
          package: {
            ...(setting.package !== undefined && {
              namespace: quoteKeywords(setting.package),
            }),
          },
          skew,
        }),
      ),
  }),
);

/** Writes the parts of the name of a package that are keywords in backticks. */
function quoteKeywords(name: string): string {
  const keywords = findOwnSet(kotlinSet).rules.words["keyword"] ?? [];
  return name
    .split(".")
    .map((part) => (keywords.includes(part) ? `\`${part}\`` : part))
    .join(".");
}

/**
 * Moves the runtime, whose package is `ridl`, into that of the client, so that
 * a program can have several clients.
 */
export function placeRuntime(
  files: readonly OutputFile[],
): readonly OutputFile[] {
  const client = files.find(({ path }) => path === "kotlin/Client.kt");
  const [, own = ""] = /^package (\S+)$/mu.exec(client?.text ?? "") ?? [];
  return files.map((file) =>
    file.path.startsWith("kotlin/ridl/")
      ? {
          ...file,
          text: file.text.replace(/^package ridl$/mu, `package ${own}.ridl`),
        }
      : file,
  );
}
