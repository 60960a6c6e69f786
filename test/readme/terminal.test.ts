import { expect, test } from "vitest";
import { availability } from "../../cli/system/availability.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { drawTerminal, type TerminalStep } from "./draw-terminal.js";

const contract = "my-api/schema/greeter.ridl";

test("docs/assets/terminal.svg shows the output of the commands", async () => {
  const sandbox = createSandbox();
  const run = async (
    command: string,
    folder: string,
  ): Promise<TerminalStep> => {
    const [, , ...args] = command.replace(/ *#.*/u, "").split(" ");
    const environment = { FORCE_COLOR: "1" };
    const { stdout, stderr } = await sandbox.run(args, { environment, folder });
    // Until the first release, the output also says how to get ridlkit.
    const note = `${availability.replaceAll(". ", ".\n")}\n`;
    const output = `${stdout}${stderr}`.replace(availability && note, "");
    return { command, output };
  };
  const created = await run("npx ridlkit init my-api", ".");
  const generated = await run("npx ridlkit generate", "my-api");
  const text = sandbox.read(contract);
  sandbox.write({ [contract]: text.replace("name: Name", "name: Nmae") });
  const checked = await run(
    "npx ridlkit check  # after a typo in schema/greeter.ridl",
    "my-api",
  );
  await expect(
    drawTerminal("A session with ridlkit", [created, generated, checked]),
  ).toMatchFileSnapshot("../../docs/assets/terminal.svg");
});
