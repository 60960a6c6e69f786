import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { runAction } from "./action.js";
import { checkOut, checks, config, pullRequest } from "./checkout.js";

const commenting = "Comment on the pull request";

/**
 * Returns GitHub's event for a pull request from a branch of the given
 * repository.
 */
function ofPullRequest(repository: string): Readonly<Record<string, string>> {
  return {
    "github.token": "t",
    "github.event.pull_request.number": "7",
    "github.event.pull_request.head.repo.full_name": repository,
    "steps.breaking.outputs.report": "",
  };
}

describe("action.yml", () => {
  test("reports that there are no breaking changes", async () => {
    const sandbox = await checkOut();
    const inputs = { ...config, against: "origin/feature" };
    const results = runAction(sandbox, checks, inputs, pullRequest);
    expect(results.get("Find breaking changes")?.status).toBe(0);
    expect(sandbox.read("temp/summary.md")).toMatch(
      /Compared with `origin\/feature \(\w+\)`: nothing breaks\./u,
    );
  });

  test("explains a shallow clone", async () => {
    const sandbox = await checkOut("--depth", "1");
    const results = runAction(sandbox, checks, config, pullRequest);
    const { output, status } = results.get("Find breaking changes") ?? {};
    expect(status).toBe(1);
    expect(output).toContain("set `fetch-depth: 0` of actions/checkout");
  });

  test("explains an unknown revision", async () => {
    const sandbox = await checkOut();
    const inputs = { ...config, against: "nowhere" };
    const results = runAction(sandbox, checks, inputs, pullRequest);
    const { output, status } = results.get("Find breaking changes") ?? {};
    expect(status).toBe(2);
    expect(output).toContain("git has no revision `nowhere`");
    expect(sandbox.has("temp/summary.md")).toBe(false);
  });

  test("explains a missing configuration", async () => {
    const sandbox = await checkOut();
    const results = runAction(sandbox, checks, {}, pullRequest);
    expect([...results.keys()]).toEqual(["Find ridlkit"]);
    expect(results.get("Find ridlkit")).toMatchObject({ status: 1 });
  });

  test("runs the requested version in projects without ridlkit", async () => {
    const sandbox = await checkOut();
    sandbox.remove("checkout/node_modules");
    sandbox.write({ "bin/npx": '#!/bin/sh\necho "npx $*"\n' });
    chmodSync(join(sandbox.root, "bin/npx"), 0o755);
    const path = `${join(sandbox.root, "bin")}:${process.env["PATH"]}`;
    const inputs = { ...config, version: "1.2.3" };
    const results = runAction(sandbox, checks, inputs, { PATH: path });
    expect(results.get("Check the contract")).toEqual({
      status: 0,
      output:
        "npx --yes ridlkit@1.2.3 check --config api/ridl.config.yaml --format github\n",
    });
  });

  test.each([
    ["", "--method POST repos/acme/shop/issues/7/comments"],
    ["99", "--method PATCH repos/acme/shop/issues/comments/99"],
  ])(
    "creates a comment, or updates the existing one: %j",
    async (found, expected) => {
      const sandbox = await checkOut();
      sandbox.write({
        "bin/gh": `#!/bin/sh\ncase "$*" in *--jq*) echo "${found}";; *) echo "$*";; esac\n`,
      });
      chmodSync(join(sandbox.root, "bin/gh"), 0o755);
      const path = `${join(sandbox.root, "bin")}:${process.env["PATH"]}`;
      const results = runAction(
        sandbox,
        [...checks, commenting],
        { ...config, comment: "true" },
        { ...pullRequest, PATH: path },
        ofPullRequest("acme/shop"),
      );
      const comment = results.get(commenting);
      expect(comment?.status).toBe(0);
      expect(comment?.output).toContain(`api --silent ${expected}`);
      expect(comment?.output).toContain(
        "body=<!-- ridlkit api/ridl.config.yaml -->\n## Contract",
      );
    },
  );

  test("does not comment on a pull request from a fork", () => {
    const sandbox = createSandbox({ "checkout/x": "" });
    const github = ofPullRequest("someone/shop");
    const results = runAction(sandbox, [commenting], {}, {}, github);
    const comment = results.get(commenting);
    expect(comment?.status).toBe(0);
    expect(comment?.output).toMatch(
      /^::notice title=ridlkit::the report is not posted/u,
    );
  });

  test("truncates a long report between two lines", () => {
    const line = `- ${"é".repeat(97)}\n`;
    const sandbox = createSandbox({
      "checkout/x": "",
      "report.md": line.repeat(700),
      "bin/gh": '#!/bin/sh\ncase "$*" in *--jq*) ;; *) printf %s "$*";; esac\n',
    });
    chmodSync(join(sandbox.root, "bin/gh"), 0o755);
    const path = `${join(sandbox.root, "bin")}:${process.env["PATH"]}`;
    const github = {
      ...ofPullRequest("acme/shop"),
      "steps.breaking.outputs.report": join(sandbox.root, "report.md"),
    };
    const environment = { PATH: path, LC_ALL: "C.UTF-8" };
    const results = runAction(sandbox, [commenting], {}, environment, github);
    const [, body = ""] =
      results
        .get(commenting)
        ?.output.split("<!-- ridlkit ridl.config.yaml -->\n") ?? [];
    const end = "\n\nThe rest is in the summary of the job.";
    expect(body.endsWith(`${line.trimEnd()}${end}`)).toBe(true);
    expect(body).toHaveLength(600 * line.length - 1 + end.length);
  });
});
