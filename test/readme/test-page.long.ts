import { expect, test } from "vitest";
import { generate, servePage, textOf } from "./program.js";

const page = "docs/test.md";

test("docs/test.md has a server with the documented fault", async () => {
  const sandbox = await generate({ "shop.ridl": textOf(page, "shop.ridl") });
  const port = await servePage(sandbox, page);
  const [, args = ""] = /^npx ridlkit (.*)$/mu.exec(textOf(page, "sh")) ?? [];
  const address = `localhost:${port}`;
  const command = args.replace("localhost:8080", address).split(" ");
  // Leaves time for a busy machine.
  const patient = [...command, "--max-time", "1000"];
  const { exitCode, stdout } = await sandbox.run(patient);
  expect(exitCode).toBe(1);
  const shown = stdout
    .replaceAll(address, "localhost:8080")
    .replaceAll("--max-time 1000 ", "");
  expect(shown).toBe(textOf(page, "text"));
});
