import { erc20Abi, hashMessage, isHex, parseUnits } from "viem";
import { describe, expect, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import type { RunningPlatform } from "./running.js";

const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const message = "These wallets are mine.";

/** Tests the services on the `api` host. */
export function testApi(running: () => RunningPlatform): void {
  describe("API", () => {
    test("quotes a swap that executes at the quoted price", async () => {
      const { client, ready, user } = running();
      const { dollar, gold } = ready.fixtures;
      const request = {
        userAddress: user.account.address,
        buyCurrencyAddress: gold,
        buyAmount: "1000000000000000",
        chainId: ready.chainId,
        slippagePercentage: 1,
      };
      const dollars = { ...request, sellCurrencyAddress: dollar };
      const { swapPrice } = await client.api.getSwapPrice(dollars);
      const { swapPrices } = await client.api.getSwapPrices(request);
      const { swapQuote } = await client.api.getSwapQuote({
        ...dollars,
        includeApprove: true,
      });
      const offered = swapPrices.map((each) =>
        each.currencyAddress.toLowerCase(),
      );
      expect(offered).toContain(dollar.toLowerCase());
      expect(swapQuote.price).toBe(swapPrice.price);
      const balance = (address: typeof gold): Promise<bigint> =>
        user.readContract({
          ...{ address, abi: erc20Abi, functionName: "balanceOf" },
          args: [user.account.address],
        });
      const before = [await balance(gold), await balance(dollar)];
      for (const [to, data] of [
        [dollar, swapQuote.approveData],
        [swapQuote.to, swapQuote.transactionData],
      ]) {
        if (!isHex(to) || !isHex(data)) throw new Error(`${to} ${data}`);
        await user.sendTransactionSync({ to, data });
      }
      const [goldBefore = 0n, dollarBefore = 0n] = before;
      expect(await balance(gold)).toBe(goldBefore + 10n ** 15n);
      const paid = dollarBefore - (await balance(dollar));
      expect(paid).toBe(BigInt(swapQuote.price));
      expect(paid < BigInt(swapQuote.maxPrice)).toBe(true);
    });

    test("accepts the native currency", async () => {
      const { client, ready } = running();
      const { swapPrice } = await client.api.getSwapPrice({
        buyCurrencyAddress: ready.fixtures.dollar,
        sellCurrencyAddress: native,
        buyAmount: String(parseUnits("10", 6)),
        chainId: ready.chainId,
      });
      expect(swapPrice.transactionValue).toBe(swapPrice.maxPrice);
    });

    test("distinguishes an account's signature from a forged one", async () => {
      const { client, ready, user } = running();
      const request = {
        chainId: ready.network,
        digest: hashMessage(message),
        signature: await createFixtureAccounts().user.signMessage({ message }),
      };
      const valid = await client.api.isValidSignature({
        ...request,
        walletAddress: user.account.address,
      });
      const wallet = await client.api.isValidSignature({
        ...request,
        walletAddress: ready.fixtures.wallet,
      });
      const forged = await client.api.isValidSignature({
        ...request,
        walletAddress: ready.fixtures.other,
      });
      expect([valid, wallet, forged].map(({ isValid }) => isValid)).toEqual([
        true,
        true,
        false,
      ]);
    });

    test("lists the linked wallets of a caller who proves ownership", async () => {
      const { client, ready, user } = running();
      const account = createFixtureAccounts().user;
      const { linkedWallets } = await client.api.getLinkedWallets({
        parentWalletAddress: user.account.address,
        parentWalletMessage: message,
        parentWalletSignature: await account.signMessage({ message }),
        signatureChainId: ready.network,
      });
      const linked = linkedWallets.map((each) => each.linkedWalletAddress);
      expect(linked).toContain(ready.fixtures.wallet.toLowerCase());
    });
  });

  describe("Builder", () => {
    test("lists audiences, removes contacts, and deletes an audience", async () => {
      const { client, ready } = running();
      const { projectId } = ready;
      const audienceId = ready.fixtures.audience ?? 0;
      const list = async () =>
        (await client.builder.listAudiences({ projectId })).audiences;
      expect(await list()).toMatchObject([{ id: audienceId, contactCount: 4 }]);
      const contactIds = [1n, 2n ** 64n - 1n];
      const place = { projectId, audienceId };
      const ok = { ok: true };
      expect(
        await client.builder.removeAudienceContacts({ ...place, contactIds }),
      ).toEqual(ok);
      expect(await list()).toMatchObject([{ contactCount: 2 }]);
      expect(await client.builder.deleteAudience(place)).toEqual(ok);
      const left = await list();
      expect(left.filter(({ deletedAt }) => deletedAt === undefined)).toEqual(
        [],
      );
    });
  });
}
