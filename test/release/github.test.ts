import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { parts, sizes } from "../../scripts/test-long/parts.js";

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly strategy?: {
    readonly matrix: Readonly<Record<string, readonly string[]>>;
  };
  /** Another workflow, in place of steps. */
  readonly uses?: string;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = readdirSync(".github/workflows");

const textOf = (name: string): string =>
  readFileSync(`.github/workflows/${name}`, "utf8");

const workflowOf = (name: string): Workflow => parse(textOf(name));

describe.each(workflows)("the workflow %s", (name) => {
  const text = textOf(name);
  const workflow = workflowOf(name);
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
    const uses = text.match(/uses: (?!\.\/).*/gu) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const each of uses) {
      expect(each).toMatch(/^uses: actions\/[\w-]+@[\da-f]{40} # v[\d.]+$/u);
    }
  });

  it("runs existing commands", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const commands = jobs.flatMap(({ steps = [] }) =>
      steps.flatMap(({ run }) => run ?? []),
    );
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [, script] = /^npm run (\S+)/u.exec(command) ?? [];
      if (script !== undefined) expect(scripts).toHaveProperty(script);
      else expect(command).toMatch(/^(?:npm ci |\.ci\/run)/u);
    }
  });
});

test("CI runs half of the long tests on a sample", () => {
  const { ci } = workflowOf("ci.yml").jobs;
  expect(ci?.steps?.flatMap(({ run }) => run ?? [])).toEqual([".ci/run"]);
  const script = readFileSync(".ci/run", "utf8");
  expect(script).toMatch(/^npm run check -- --before-long \$half$/mu);
  expect(script).toMatch(/^ +node scripts\/test-long\.js \$half$/mu);
});

test("a release needs all that CI runs, and every long test at its full size", () => {
  const { check, long, publish } = workflowOf("release.yml").jobs;
  expect(publish?.needs).toEqual(["check", "long"]);
  expect(check?.uses).toBe("./.github/workflows/ci.yml");
  expect(workflowOf("ci.yml").on).toHaveProperty("workflow_call");
  const words = long?.strategy?.matrix["part"] ?? [];
  const shards = words.filter((word) => word.startsWith("files "));
  expect(shards.length).toBeGreaterThan(0);
  expect(words).toEqual([
    ...shards.map((_, at) => `files --shard=${at + 1}/${shards.length}`),
    ...parts,
    // Shared runners are not quiet. The shards count what tenants cost.
    ...Object.keys(sizes).filter((name) => name !== "tenants"),
    "ledger",
  ]);
  const [step] = long?.steps?.filter(({ run }) => run !== undefined) ?? [];
  expect(step?.run).toBe(".ci/run ${{ matrix.part }}");
  // Without these variables, nothing is a sample.
  expect(textOf("release.yml")).not.toMatch(/RIDLKIT_(?:SAMPLE|RUNS)/u);
  const script = readFileSync(".ci/run", "utf8");
  expect(script).toMatch(
    /^if \[ \$# -gt 0 \]; then\n +RIDLKIT_RELEASE=1 npm run test:long -- "\$@"\n +exit\nfi$/mu,
  );
});

test("Dependabot updates all packages except those with fixed versions", () => {
  const fixed = ["/bench", "/platform/chain/contracts"];
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
