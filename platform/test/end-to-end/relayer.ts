import { execFile } from "node:child_process";
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { parseEther } from "viem";
import { describe, expect, onTestFinished, test } from "vitest";

import type { Ready } from "../start/start-platform.js";
import { callOf, postRelaying, signCall } from "../support/relaying.js";
import type { RunningPlatform } from "./running.js";

const page = readFileSync("platform/relaying.md", "utf8");

/** Runs the program on the page as a reader would. Output: what it prints. */
async function runPage(ready: Ready): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [, program = ""] = /^```js \S+\n([^]*?)^```$/mu.exec(page) ?? [];
  const files = {
    "relay-entry.js": program,
    "package.json": '{ "type": "module" }',
    "ready.json": JSON.stringify(ready),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["relay-entry.js"], {
    cwd: folder,
  });
  return stdout;
}

/** Tests the service on the `relayer` host, and its effects on the chain. */
export function testRelayer(running: () => RunningPlatform): void {
  describe("Relayer", () => {
    test("relays a wallet's calls only after the wallet is sponsored", async () => {
      const { client, ready, user } = running();
      const { chainId, fixtures, projectId } = ready;
      const { wallet } = fixtures;
      const to = "0x00000000000000000000000000000000000000E2";
      const value = parseEther("0.001");
      await user.sendTransactionSync({ to: wallet, value });
      const message = await signCall(chainId, callOf(wallet, { to, value }));
      expect(await postRelaying(ready, "Relay", message)).toMatchObject({
        error: "PermissionDenied",
      });
      const { gasSponsor } = await client.relayer.addGasSponsor({
        ...{ projectId, address: wallet, name: "the user's wallet" },
      });
      expect(gasSponsor).toMatchObject({ chainId, active: true });
      const { relay } = await postRelaying(ready, "Relay", message);
      await expect
        .poll(() => postRelaying(ready, "GetRelay", { id: relay.id }))
        .toMatchObject({ relay: { status: "done" } });
      expect(await user.getBalance({ address: to })).toBe(value);
    });

    test("relays for a key-based account, as the guide shows", async () => {
      const { client, ready } = running();
      const { fixtures, projectId } = ready;
      expect(page).toContain(`\`${fixtures.forwarder}\``);
      await client.relayer.addGasSponsor({
        ...{ projectId, address: fixtures.guestbook, name: "the guestbook" },
      });
      expect(await runPage(ready)).toMatch(/^done Hello\n[0-9a-f]{32}\n$/u);
    });
  });
}
