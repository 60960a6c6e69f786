import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = readdirSync(".github/workflows");

describe.each(workflows)("the workflow %s", (name) => {
  const text = readFileSync(`.github/workflows/${name}`, "utf8");
  const workflow: Workflow = parse(text);
  const jobs = Object.values(workflow.jobs);

  it("has only read permission, except to sign a release", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const granted = jobs
      .map(({ permissions }) => permissions)
      .filter((each) => each !== undefined);
    const release = { contents: "read", "id-token": "write" };
    expect(granted).toEqual(name === "release.yml" ? [release] : []);
  });

  it("pins actions to a commit", () => {
    const uses = text.match(/uses: .*/gu) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const each of uses) {
      expect(each).toMatch(/^uses: actions\/[\w-]+@[\da-f]{40} # v[\d.]+$/u);
    }
  });

  it("runs existing commands", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const commands = jobs.flatMap(({ steps }) =>
      steps.flatMap(({ run }) => run ?? []),
    );
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [, script] = /^npm run (\S+)/u.exec(command) ?? [];
      if (script !== undefined) expect(scripts).toHaveProperty(script);
      else expect(command).toMatch(/^(?:npm ci .*|\.ci\/run)$/u);
    }
  });
});

test("Dependabot updates all packages except those with fixed versions", () => {
  const fixed = ["/bench", "/platform/test/uniswap-v3"];
  const { updates } = parse(readFileSync(".github/dependabot.yml", "utf8"));
  const locks = execFileSync("git", ["ls-files", "*package-lock.json"]);
  const folders = locks
    .toString()
    .trim()
    .split("\n")
    .map((path) => `/${dirname(path)}`.replace("/.", "/"))
    .filter((folder) => !fixed.includes(folder));
  expect(updates[0].directories).toEqual(folders.sort());
});

test.each(["bug.yml", "feature.yml"])(
  "the form %s has all keys, and its fields have unique ids",
  (name) => {
    const form = parse(readFileSync(`.github/ISSUE_TEMPLATE/${name}`, "utf8"));
    expect(Object.keys(form)).toEqual([
      "name",
      "description",
      "labels",
      "body",
    ]);
    const fields: readonly { type: string; id?: string }[] = form.body;
    const ids = fields
      .filter(({ type }) => type !== "markdown")
      .map(({ id }) => id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  },
);
