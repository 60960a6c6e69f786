import { createConfigurable, type Target } from "../emitter/target.js";
import { findUnsupportedPatterns } from "../templates/find-unsupported-patterns.js";
import goSet from "../templates/own/go-set.json" with { type: "json" };
import { printOwnSet } from "../templates/template-set.js";

/** The setting of the target `go`. */
export interface GoOptions {
  /** Path of the module. */
  readonly module?: string;
}

/**
 * Writes a module with a client and a server in Go to the folder `go`. Its files
 * are in `templates/go`.
 */
export const goEmitter = createConfigurable(
  {
    schema: {
      description: "Options for the module. Default: `{}`.",
      type: "object",
      additionalProperties: false,
      properties: {
        module: {
          description:
            "Path of the module, whose last part is the name of the package. Default: the name of the first host.",
          type: "string",
          pattern: "^[A-Za-z0-9_.~-]+(/[A-Za-z0-9_.~-]+)*$",
          examples: ["example.com/acme/shop"],
        },
      },
    },
    example: { module: "example.com/acme/shop" },
  },
  {},
  ({ module }: GoOptions): Target => ({
    name: "go",
    summary: "A module with a client and a server in Go.",
    guide: "go.md",
    findFaults: (contract) =>
      findUnsupportedPatterns(
        contract,
        "Go",
        "set a function that checks the value, as the guide to the `go` target shows",
      ),
    emit: (contract, { skew }, context) =>
      printOwnSet(goSet, contract, context, {
        package: module === undefined ? {} : { name: module },
        skew,
      }),
  }),
);
