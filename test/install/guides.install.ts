import { readdirSync } from "node:fs";
import { beforeAll, test } from "vitest";
import { followPage } from "./follow-page.js";
import { startSession, type Trial } from "./session.js";

const folder = "docs/guides";
const index = `${folder}/README.md`;
const guides = readdirSync(folder).filter((name) => name !== "README.md");

let project: Trial;

beforeAll(async () => {
  const session = await startSession();
  await followPage(index, session.within("guides"));
  project = session.within("guides/my-api");
});

test.for(guides)("%s works when its steps are followed", async (name) => {
  await followPage(`${folder}/${name}`, project.copy(name));
});
