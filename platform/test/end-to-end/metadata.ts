import { describe, expect, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { fixtureCollectible } from "../../chain/artifacts/fixture-collectible.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import type { RunningPlatform } from "./running.js";

/** Tests the services on the `metadata` host. */
export function testMetadata(running: () => RunningPlatform): void {
  describe("Metadata", () => {
    test("describes contracts and their tokens through RPC and REST", async () => {
      const { client, ready } = running();
      const { chainId, fixtures, network } = ready;
      const { collectible, dollar, items, tokenIds } = fixtures;
      const contractAddress = collectible;
      const tokenIDs = [...tokenIds.collectible];
      const chainID = String(chainId);
      const place = { chainID, contractAddress };
      const read = { network, contractAddress };
      const { metadata, tokens } = client;

      const info = await metadata.getContractInfo(place);
      expect(info.contractInfo).toMatchObject({ chainId, type: "ERC721" });
      expect(await tokens.readContractInfo(read)).toEqual(info);
      const { contractInfoMap } = await metadata.getContractInfoBatch({
        chainID,
        contractAddresses: [dollar, items],
      });
      const types = Object.values(contractInfoMap).map(({ type }) => type);
      expect(types.sort()).toEqual(["ERC1155", "ERC20"]);

      const known = await metadata.getTokenMetadata({ ...place, tokenIDs });
      const ids = known.tokenMetadata.map(({ tokenId }) => tokenId);
      expect(ids).toEqual(tokenIDs);
      expect(await tokens.readTokenMetadata({ ...read, tokenIDs })).toEqual(
        known,
      );
      const { contractTokenMetadata } = await metadata.getTokenMetadataBatch({
        chainID,
        contractTokenMap: { [collectible]: tokenIDs, [items]: ["1"] },
      });
      expect(contractTokenMetadata[collectible]).toEqual(known.tokenMetadata);
      expect(contractTokenMetadata[items]).toMatchObject([
        { name: `Fixture Item ${"1".padStart(64, "0")}` },
      ]);
    });

    test("shows changes on the chain once a refresh is complete", async () => {
      const { client, ready } = running();
      const { chainId, chainUrl, fixtures, network } = ready;
      const { owner } = createFixtureAccounts();
      const wallet = openChainWallet(chainUrl, chainId, owner);
      const token = {
        chainID: network,
        contractAddress: fixtures.collectible,
        tokenIDs: ["1"],
      };
      const nameOf = async (): Promise<string | undefined> => {
        const answer = await client.metadata.getTokenMetadata(token);
        return answer.tokenMetadata[0]?.name;
      };
      const before = await nameOf();
      const name = `Changed at ${Date.now()}`;
      await wallet.writeContractSync({
        address: fixtures.collectible,
        abi: fixtureCollectible.abi,
        functionName: "setTokenURI",
        args: [1n, `data:,{"name":"${name}"}`],
      });
      expect(await nameOf()).toBe(before);
      const { taskId } = await client.metadata.enqueueTokensForRefresh(token);
      await expect
        .poll(() => client.metadata.getTokenRefreshStatus({ taskId }))
        .toEqual({ status: "COMPLETED" });
      expect(await nameOf()).toBe(name);
    });
  });
}
