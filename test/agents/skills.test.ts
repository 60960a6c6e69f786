import { readFileSync, readdirSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { format } from "prettier";
import { followPage } from "../install/follow-page.js";
import { startLinkedSession, type Trial } from "../install/session.js";
import { isLong } from "../support/draw-some.js";
import { readBlocks } from "../readme/program.js";

const skills = ["docs/skills", "runtime/typescript/skills"].flatMap((folder) =>
  readdirSync(folder).map((name) => ({
    name,
    page: `${folder}/${name}/SKILL.md`,
  })),
);

let session: Trial;
beforeAll(async () => {
  session = await startLinkedSession();
});

// Each installs packages and compiles a project.
const followed = isLong ? skills : [];

describe.each(skills)("the skill $name", (skill) => {
  const { name, page } = skill;
  test.runIf(followed.includes(skill))(
    "works when its steps are followed",
    async () => {
      const trial = session.within(name);
      for (const path of [
        "package.json",
        "ridl.config.yaml",
        "tsconfig.json",
      ]) {
        trial.write({
          [path]: readFileSync(`templates/init/node/${path}`, "utf8"),
        });
      }
      await followPage(page, trial);
    },
  );

  test("has the front matter of the Agent Skills format", () => {
    const text = readFileSync(page, "utf8");
    const [, shown, description = ""] =
      /^---\nname: (\S+)\ndescription: ([^\n:]+)\n---\n/u.exec(text) ?? [];
    expect(shown).toBe(name);
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u);
    expect(description.length).toBeLessThan(1024);
    expect(text.length).toBeLessThan(8000);
  });

  test("shows programs in canonical format", async () => {
    for (const { path, text } of readBlocks(page)) {
      if (!/\.(?:ts|json)$/u.test(path)) continue;
      expect(await format(text, { filepath: path })).toBe(text);
    }
  });
});
