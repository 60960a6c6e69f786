import type { FixtureHolders } from "./accounts.js";
import { fixtureCollectible } from "./artifacts/fixture-collectible.js";
import { fixtureItems } from "./artifacts/fixture-items.js";
import type { ChainWallet } from "./chain-wallet.js";
import type { FixtureContracts } from "./deploy-contracts.js";

/** IDs of the tokens that exist after seeding. */
export const seededTokenIds = {
  collectible: ["1", "2", "3"],
  items: ["1", "2"],
} as const;

/** Mints three tokens with metadata if they do not exist yet. */
export async function seedCollectible(
  wallet: ChainWallet,
  { collectible, user, other }: FixtureContracts & FixtureHolders,
): Promise<void> {
  const contract = {
    address: collectible,
    abi: fixtureCollectible.abi,
  } as const;
  for (const [tokenId, account] of [
    [1n, user],
    [2n, user],
    [3n, other],
  ] as const) {
    // Reading the URI of a token that does not exist reverts.
    const uri = await wallet
      .readContract({ ...contract, functionName: "tokenURI", args: [tokenId] })
      .catch(() => null);
    if (uri === null) {
      await wallet.writeContractSync({
        ...contract,
        functionName: "mint",
        args: [account, tokenId],
      });
    }
    if (uri !== null && uri !== "") continue;
    await wallet.writeContractSync({
      ...contract,
      functionName: "setTokenURI",
      args: [tokenId, dataUri(collectibleMetadata(tokenId))],
    });
  }
  const description = await wallet.readContract({
    ...contract,
    functionName: "contractURI",
  });
  if (description !== "") return;
  const uri = dataUri({
    name: "Fixture Collectible",
    description: "One-of-a-kind tokens.",
    external_link: "https://example.com/collectible",
  });
  await wallet.writeContractSync({
    ...contract,
    functionName: "setContractURI",
    args: [uri],
  });
}

/** Mints two tokens with many items each if they do not exist yet. */
export async function seedItems(
  wallet: ChainWallet,
  { items, user, other }: FixtureContracts & FixtureHolders,
): Promise<void> {
  const contract = { address: items, abi: fixtureItems.abi } as const;
  const uri = await wallet.readContract({
    ...contract,
    functionName: "uri",
    args: [1n],
  });
  if (uri !== "") return;
  await wallet.writeContractSync({
    ...contract,
    functionName: "mintBatch",
    args: [user, [1n, 2n], [10n, 20n]],
  });
  await wallet.writeContractSync({
    ...contract,
    functionName: "mint",
    args: [other, 1n, 5n],
  });
  // This is the last step, so if its effect is present, all steps are done.
  await wallet.writeContractSync({
    ...contract,
    functionName: "setURI",
    args: [itemsUri],
  });
}

/** Clients replace the placeholder with the token's ID. */
const itemsUri =
  "data:application/json;utf8," +
  JSON.stringify({
    name: "Fixture Item {id}",
    description: "One of many of its kind.",
    image: "https://example.com/items/{id}.png",
  });

function collectibleMetadata(tokenId: bigint): object {
  return {
    name: `Fixture Collectible #${tokenId}`,
    description: `Number ${tokenId} of three.`,
    image: `https://example.com/collectible/${tokenId}.png`,
    attributes: [{ trait_type: "number", value: Number(tokenId) }],
  };
}

function dataUri(value: object): string {
  const bytes = Buffer.from(JSON.stringify(value));
  return `data:application/json;base64,${bytes.toString("base64")}`;
}
