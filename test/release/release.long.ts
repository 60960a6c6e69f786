import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { isSample } from "../support/draw-some.js";

/** Runs the script as npm does. */
function release(...args: readonly string[]) {
  const env = {
    ...process.env,
    // Prevents publishing, even in the release workflow.
    ACTIONS_ID_TOKEN_REQUEST_URL: "",
    PATH: `${process.cwd()}/node_modules/.bin:${process.env["PATH"]}`,
  };
  const words = ["scripts/release.js", ...args];
  return spawnSync(process.execPath, words, { encoding: "utf8", env });
}

// `npm run check` runs the same checks of the packages.
it.skipIf(isSample)(
  "packs and checks both packages without publishing them",
  () => {
    const { status, stdout, stderr } = release();
    expect(status, stderr).toBe(0);
    const commands = stdout
      .split("\n")
      .filter((line) => /^> (?:publint|node|npm (?:run|publish)) /u.test(line));
    const publish = commands.filter((line) => line.startsWith("> npm publish"));
    expect(commands.map((line) => line.split(" ")[1])).toEqual([
      ...["publint", "node", "publint", "node"],
      ...["npm", "npm", "npm"],
    ]);
    expect(commands).toContain("> npm run vsix");
    expect(publish).toEqual([
      expect.stringMatching(/runtime-\S+\.tgz .*--provenance .*--dry-run$/u),
      expect.stringMatching(/ridlkit-\d\S+\.tgz .*--provenance .*--dry-run$/u),
    ]);
  },
);

it("refuses to publish outside the release workflow", () => {
  const { status, stdout, stderr } = release("publish");
  expect(status).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain("error: provenance requires GitHub Actions");
});

it.each([[["version"]], [["tag"]], [["publish", "1.2.3"]]])(
  "prints its usage if it is called with %j",
  (args) => {
    const { status, stderr } = release(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^usage: /u);
  },
);
