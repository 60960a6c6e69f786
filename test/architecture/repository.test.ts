import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { main } from "../../cli/main.js";
import { root } from "./support/source-files.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Runs a ridl command on this repository. */
async function run(
  ...args: readonly string[]
): Promise<{ readonly printed: string; readonly exitCode: number }> {
  const printed: string[] = [];
  const output = {
    isTerminal: false,
    write: (text: string) => void printed.push(text),
  };
  const system = createNodeSystem({
    workingFolder: root,
    stdout: output,
    stderr: output,
  });
  const exitCode = await main(args, system);
  return { printed: printed.join(""), exitCode };
}

describe.each([
  {
    generated: "generated",
    config: "ridl.config.yaml",
    documents: 8,
    isCommitted: true,
  },
  {
    generated: "platform/console/generated",
    config: "platform/console/ridl.config.yaml",
    documents: 12,
    isCommitted: false,
  },
  {
    generated: "platform/relaying/generated",
    config: "platform/relaying/ridl.config.yaml",
    documents: 4,
    isCommitted: false,
  },
])("$generated", ({ config, documents, generated, isCommitted }) => {
  test("comes from documents without errors or lint findings", async () => {
    expect(await run("check", "--config", config)).toEqual({
      printed: `${documents} documents read\n`,
      exitCode: 0,
    });
  });

  test("matches the output of ridl generate exactly", async () => {
    const { printed, exitCode } = await run(
      "generate",
      "--check",
      "--config",
      config,
    );
    expect(printed).toBe("nothing changed\n");
    expect(exitCode).toBe(0);
  });

  test.runIf(isCommitted)("contains only files in the manifest", () => {
    const manifest = `${generated}/.ridl-manifest.json`;
    const { files } = Object(JSON.parse(read(manifest)));
    const named = Object.keys(files)
      .map((path) => `${generated}/${path}`)
      .concat(manifest);
    expect(
      trackedFiles().filter((path) => path.startsWith(`${generated}/`)),
    ).toEqual(named.sort());
  });
});

/** The relevant part of a lock file. */
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly optionalDependencies?: object }>
  >;
}

describe("the packages", () => {
  test.each(["package.json", "runtime/typescript/package.json"])(
    "%s has no runtime dependencies",
    (path) => {
      const keys = Object.keys(JSON.parse(read(path)));
      expect(keys.filter((key) => /dependencies/iu.test(key))).toEqual(
        path === "package.json" ? ["devDependencies"] : [],
      );
    },
  );

  test("have the same version", () => {
    const { version } = JSON.parse(read("package.json"));
    expect(JSON.parse(read("runtime/typescript/package.json")).version).toBe(
      version,
    );
  });

  const locks = trackedFiles().filter((path) =>
    /package-lock\.json$/u.test(path),
  );

  test.each(locks)("%s pins versions but does not name a registry", (path) => {
    expect(read(path)).not.toContain('"resolved": "http');
  });

  // These lock files include Anvil only for Linux on x64, and Deno and workerd
  // only for Linux.
  const incomplete = [
    "package-lock.json",
    "test/behavior/hosts/package-lock.json",
  ];
  const complete = locks.filter((path) => !incomplete.includes(path));

  test.each(complete)(
    "%s includes the optional packages for every platform",
    (path) => {
      const { packages }: Lock = JSON.parse(read(path));
      const names = new Set(
        Object.keys(packages).map((key) =>
          key.replace(/^.*node_modules\//u, ""),
        ),
      );
      const missing = Object.values(packages)
        .flatMap(({ optionalDependencies = {} }) =>
          Object.keys(optionalDependencies),
        )
        .filter((name) => !names.has(name));
      expect(missing).toEqual([]);
    },
  );
});

describe("docs", () => {
  test("the architecture map fits in 200 lines", () => {
    const lines = read("docs/architecture.md").split("\n");
    expect(lines.length).toBeLessThanOrEqual(201);
  });

  test("link to existing files", () => {
    const faults = trackedFiles()
      .filter((path) => path.endsWith(".md") && !path.startsWith("test/"))
      .flatMap((path) =>
        [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/gu)]
          .map(([, target = ""]) => target)
          .filter((target) => !existsSync(join(root, path, "..", target)))
          .map((target) => `${path}: ${target}`),
      );
    expect(faults).toEqual([]);
  });
});

test("no file has conflict markers", () => {
  const faults = trackedFiles().filter((path) =>
    /^<{7} .*$[^]*^={7}$[^]*^>{7} /mu.test(read(path)),
  );
  // This test writes a conflict to a file.
  expect(faults).toEqual(["test/implement/implement.long.ts"]);
});

function trackedFiles(): string[] {
  return execFileSync("git", ["ls-files", "-z"], { cwd: root })
    .toString()
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)))
    .sort();
}
