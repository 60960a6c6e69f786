import { parseEther } from "viem";
import { describe, expect, test } from "vitest";

import { callOf, signCall } from "../support/relaying.js";
import type { RunningPlatform } from "./running.js";

/** The service of the host `relayer`, and what it has an effect on. */
export function testRelayer(running: () => RunningPlatform): void {
  describe("Relayer", () => {
    test("relays for whom it sponsors, and for nobody else", async () => {
      const { client, ready, user } = running();
      const { accessKey, baseUrl, chainId, fixtures, projectId } = ready;
      const { wallet } = fixtures;
      const to = "0x00000000000000000000000000000000000000E2";
      const value = parseEther("0.001");
      await user.sendTransactionSync({ to: wallet, value });
      const post = async (method: string, message: object) => {
        const response = await fetch(`${baseUrl}/rpc/Relaying/${method}`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "x-access-key": accessKey,
          },
          body: JSON.stringify(message),
        });
        return Object(await response.json());
      };
      const message = await signCall(chainId, callOf(wallet, { to, value }));
      expect(await post("Relay", message)).toMatchObject({
        error: "PermissionDenied",
      });
      const { gasSponsor } = await client.relayer.addGasSponsor({
        ...{ projectId, address: wallet, name: "the wallet of the user" },
      });
      expect(gasSponsor).toMatchObject({ chainId, active: true });
      const { relay } = await post("Relay", message);
      await expect
        .poll(() => post("GetRelay", { id: relay.id }))
        .toMatchObject({ relay: { status: "done" } });
      expect(await user.getBalance({ address: to })).toBe(value);
    });
  });
}
