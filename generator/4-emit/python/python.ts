import { createConfigurable, type Target } from "../emitter/target.js";
import { findUnsupportedPatterns } from "../templates/find-unsupported-patterns.js";
import { findUnsupportedReceivers } from "../templates/find-unsupported-receivers.js";
import { findUnsupportedUnions } from "../templates/find-unsupported-unions.js";
import pythonSet from "../templates/own/python-set.json" with { type: "json" };
import { printOwnSet } from "../templates/template-set.js";
import type { PackageOptions } from "../view/create-view.js";

/**
 * Writes a package with a client in Python to the folder `python`. Its files are
 * in `templates/python`.
 */
export const pythonEmitter = createConfigurable(
  {
    schema: {
      description: "Options for the package. Default: `{}`.",
      type: "object",
      additionalProperties: false,
      properties: {
        name: {
          description:
            "Name of the package. Default: the name of the first host.",
          type: "string",
          pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$",
          examples: ["acme-shop"],
        },
        version: {
          description:
            "Version of the package. Default: the version of the first host.",
          type: "string",
          pattern: "^[0-9]+(\\.[0-9]+)*[0-9a-z.+!-]*$",
          examples: ["1.2.0"],
        },
      },
    },
    example: { name: "acme-shop", version: "1.2.0" },
  },
  {},
  (setting: PackageOptions): Target => ({
    name: "python",
    summary: "A package with a client in Python.",
    guide: "python.md",
    findFaults: (contract) => [
      ...findUnsupportedReceivers(contract, "Python"),
      ...findUnsupportedUnions(contract, "Python", () => true),
      ...findUnsupportedPatterns(
        contract,
        "Python",
        "give the package a function that checks the value, as the guide to the `python` target shows",
      ),
    ],
    emit: (contract, { skew }, context) =>
      printOwnSet(pythonSet, contract, context, { package: setting, skew }),
  }),
);
