import { existsSync, readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { isSample } from "../support/draw-some.js";
import { buildImage } from "./build-image.js";
import { followPage } from "./follow-page.js";
import { startSession, type Trial } from "./session.js";

const folder = "docs/guides";
const index = `${folder}/README.md`;
/** In a sample, half of the guides. */
const guides = readdirSync(folder)
  .filter((name) => name !== "README.md")
  .filter((_, at) => !isSample || at % 2 === 0);

let session: Trial;
let project: Trial;

beforeAll(async () => {
  session = await startSession();
  await followPage(index, session.within("guides"));
  project = session.within("guides/my-api");
});

test.for(guides)("%s works when its steps are followed", async (name) => {
  const trial = project.copy(name);
  await followPage(`${folder}/${name}`, trial);
  if (!existsSync(trial.path("Dockerfile"))) return;
  const { image, command } = await buildImage(trial, session.within("image"));
  await image.start(command);
  expect(await (await fetch(image.url())).json()).toEqual({ running: 0 });
});
