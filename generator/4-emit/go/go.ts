import type { Contract } from "../../ir/contract.js";
import type { OutputFile } from "../emitter/emitter.js";
import { createConfigurable, type Target } from "../emitter/target.js";
import { findUnsupportedPatterns } from "../templates/find-unsupported-patterns.js";
import goSet from "../templates/own/go-set.json" with { type: "json" };
import { printOwnSet } from "../templates/template-set.js";
import type { PackageOptions } from "../view/create-view.js";
import { hasPages } from "../view/view-paging.js";

/** The setting of the target `go`. */
export interface GoOptions {
  /** Path of the module. */
  readonly module?: string;
  /** Path of the package in the user's module. Default: a module of its own. */
  readonly package?: string;
  /** Path of the package that is the runtime. Default: a copy in the output. */
  readonly runtime?: string;
}

const importPath = {
  type: "string",
  pattern: "^[A-Za-z0-9_.~-]+(/[A-Za-z0-9_.~-]+)*$",
} as const;

/**
 * Writes a module with a client and a server in Go to the folder `go`, or a
 * package of the user's module to its folder. The files are in `templates/go`.
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
          ...importPath,
          examples: ["example.com/acme/shop"],
        },
        package: {
          description:
            "Path of the package in the module, which is yours. The package has no `go.mod`. Its files are in `out` if that ends with this path, otherwise below. Default: the output is a module of its own.",
          ...importPath,
          examples: ["internal/shop"],
        },
        runtime: {
          description:
            "Import path of a runtime that several packages share. Default: a copy in the output, in the folder `ridl`.",
          ...importPath,
          examples: ["example.com/acme/internal/orders/ridl"],
        },
      },
      dependencies: {
        package: { properties: { module: {} }, required: ["module"] },
        runtime: { properties: { package: {} }, required: ["package"] },
      },
    },
    example: { module: "example.com/acme/shop" },
  },
  {},
  (setting: GoOptions): Target => ({
    name: "go",
    summary: "A module or a package with a client and a server in Go.",
    guide: "go.md",
    findFaults: (contract) =>
      findUnsupportedPatterns(
        contract,
        "Go",
        "set a function that checks the value, as the guide to the `go` target shows",
      ),
    emit: (contract, { skew }, context) =>
      placeFiles(
        printOwnSet(goSet, contract, context, {
          package: packageOf(setting),
          skew,
        }),
        setting,
        contract,
        context?.outputFolder ?? "",
      ),
  }),
);

function packageOf({
  module,
  package: path,
  runtime,
}: GoOptions): PackageOptions {
  const name = path === undefined ? module : `${module}/${path}`;
  return {
    ...(name !== undefined && { name }),
    ...(runtime !== undefined && { runtime }),
  };
}

/**
 * Leaves out what the user's module has, and parts of the runtime that the
 * module of a single contract does not need, and names the folder. Packages of
 * two contracts need different output folders, so a package can be all of one.
 */
function placeFiles(
  files: readonly OutputFile[],
  { package: path, runtime }: GoOptions,
  contract: Contract,
  outputFolder: string,
): readonly OutputFile[] {
  if (path === undefined) {
    const unused = unusedParts(contract);
    return files.filter((file) => !unused.has(file.path));
  }
  // A single name may be that of the folder of the module.
  const isWhole =
    path.includes("/") &&
    `/${outputFolder}/`.replace(/\/+$/u, "/").endsWith(`/${path}/`);
  const folder = isWhole ? "" : `${path.slice(path.lastIndexOf("/") + 1)}/`;
  return files
    .filter(
      ({ path: each }) =>
        each !== "go/go.mod" &&
        (runtime === undefined || !each.startsWith("go/ridl/")),
    )
    .map((file) => ({
      ...file,
      path: file.path.replace(/^go\//u, folder),
    }));
}

/** Returns the files of the runtime that no method of a contract uses. */
function unusedParts(contract: Contract): ReadonlySet<string> {
  const methods = contract.hosts
    .flatMap(({ services }) => services)
    .flatMap((service) => service.methods);
  const uses = {
    answer_stores: methods.some(
      ({ idempotencyKey }) => idempotencyKey !== "none",
    ),
    pages: hasPages(contract, methods),
    streams: methods.some(({ response }) => response.isStream),
  };
  return new Set(
    Object.entries(uses).flatMap(([name, isUsed]) =>
      isUsed ? [] : `go/ridl/${name}.go`,
    ),
  );
}
