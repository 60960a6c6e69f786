import { describe, expect, it } from "vitest";
import { findFaults } from "../../scripts/release/find-faults.js";

const repository = { type: "git", url: "git+https://github.com/a/b.git" };
const cli = { name: "ridlkit", version: "1.2.3", repository };
const runtime = { name: "@ridlkit/runtime", version: "1.2.3", repository };

/** A release that can be published. */
const release = {
  cli,
  runtime,
  lock: { packages: { "": cli, "runtime/typescript": runtime } },
  changelog: "# Changelog\n\n## 1.2.3 - 2027-01-31\n\n- Fixed it.\n",
  environment: {
    GITHUB_REF: "refs/tags/v1.2.3",
    GITHUB_REPOSITORY: "a/b",
    ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.test",
  },
  stale: [false],
};

describe("a release", () => {
  it("can be published if nothing is missing", () => {
    expect(findFaults(release)).toEqual({ faults: [], obstacles: [] });
  });

  it.each([
    [
      "a different version of the runtime",
      { runtime: { ...runtime, version: "1.2.2" } },
      /versions differ/u,
    ],
    [
      "a malformed version",
      { cli: { ...cli, version: "1.2" } },
      /not a version/u,
    ],
    [
      "an old lock file",
      { lock: { packages: { "": cli } } },
      /package-lock\.json/u,
    ],
  ])("is rejected with %s", (_, change, expected) => {
    const { faults } = findFaults({ ...release, ...change });
    expect(faults.join("\n")).toMatch(expected);
  });

  it.each([
    [
      "the changelog has no section",
      { changelog: "## Unreleased\n\n- Fixed it.\n" },
      /no section for 1\.2\.3/u,
    ],
    [
      "the section is empty",
      {
        changelog:
          "## 1.2.3 - 2027-01-31\n\n## 1.2.2 - 2027-01-30\n\n- Fixed it.\n",
      },
      /no section for 1\.2\.3/u,
    ],
    [
      "a benchmark measured other sources",
      { stale: [false, "bench/results/server.md measured other sources"] },
      /server\.md measured other sources/u,
    ],
    [
      "a package does not specify its repository",
      { cli: { ...cli, repository: undefined } },
      /ridlkit has no `repository`/u,
    ],
    [
      "a package specifies a different repository",
      {
        runtime: { ...runtime, repository: { url: "https://github.com/c/b" } },
      },
      /runs in a\/b/u,
    ],
    [
      "the tag does not match the version",
      {
        environment: { ...release.environment, GITHUB_REF: "refs/tags/v1.2.4" },
      },
      /tag v1\.2\.3/u,
    ],
    [
      "the script runs outside the release workflow",
      { environment: {} },
      /id-token: write/u,
    ],
  ])("cannot be published yet if %s", (_, change, expected) => {
    const { faults, obstacles } = findFaults({ ...release, ...change });
    expect(faults).toEqual([]);
    expect(obstacles.join("\n")).toMatch(expected);
  });
});
