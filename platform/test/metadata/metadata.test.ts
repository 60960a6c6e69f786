import { sql } from "kysely";
import { encodeErrorResult, parseAbi, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createMetadataHostClient } from "../../../generated/metadata/client.js";
import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { openSiteForTest } from "../support/local-site.js";
import { type OpenMetadata, openMetadata } from "../support/open-metadata.js";
import {
  makeAddress,
  putContract,
  putTextContract,
} from "../support/plain-contract.js";
import {
  silentNetworks,
  startTestChain,
  type TestChain,
} from "../support/start-chain.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

let chain: TestChain;
let host: OpenMetadata;
beforeAll(async () => {
  chain = await startTestChain();
  const networks = [chain.network, ...silentNetworks];
  host = await openMetadata(database, { networks });
});
afterAll(() => chain.stop());

const nobody = `0x${"12".repeat(20)}`;

/** Asks for tokens by RPC and by REST, which have to tell the same. */
async function ask(
  contractAddress: string,
  tokenIDs: string[],
): Promise<readonly TokenMetadata[]> {
  const { metadata, tokens } = host;
  const { tokenMetadata } = await metadata.getTokenMetadata({
    chainID: "hardhat",
    contractAddress,
    tokenIDs,
  });
  const network = "31337";
  const place = { network, contractAddress, tokenIDs };
  expect(await tokens.readTokenMetadata(place)).toEqual({ tokenMetadata });
  return tokenMetadata;
}

const nothing = {
  name: "",
  description: "",
  image: "",
  decimals: 0,
  properties: null,
  attributes: null,
};

test("tokens of an ERC-721, in the order in which they are asked for", async () => {
  const { collectible } = chain.fixtures;
  const contractAddress = collectible.toLowerCase();
  const found = await ask(collectible, ["3", "1", "99", "0003", "3"]);
  const three = {
    tokenId: "3",
    contractAddress,
    name: "Fixture Collectible #3",
    description: "Number 3 of three.",
    image: "https://example.com/collectible/3.png",
    decimals: 0,
    properties: null,
    attributes: [{ trait_type: "number", value: 3 }],
  };
  expect(found).toEqual([
    three,
    expect.objectContaining({ tokenId: "1", name: "Fixture Collectible #1" }),
    // Nobody has made it.
    { ...nothing, tokenId: "99", contractAddress },
    three,
    three,
  ]);
  expect(await ask(contractAddress, ["3"])).toEqual([three]);
});

test("tokens of an ERC-1155, up to the largest", async () => {
  const largest = (2n ** 256n - 1n).toString();
  const found = await ask(chain.fixtures.items, ["0", "2", largest]);
  for (const [index, digits] of [
    "0".repeat(64),
    `${"0".repeat(63)}2`,
    "f".repeat(64),
  ].entries()) {
    expect(found[index]).toMatchObject({
      name: `Fixture Item ${digits}`,
      image: `https://example.com/items/${digits}.png`,
    });
  }
});

test("what a document says is taken as far as it fits", async () => {
  const image = "ipfs://bafy/cat.png";
  const document = {
    name: 7,
    description: null,
    image,
    decimals: 18,
    properties: { "": [{}], nested: { ok: true, toString: 1 } },
    attributes: [{ trait_type: "a", value: null }, "odd", [], { b: 1 }],
  };
  const text = JSON.stringify(document).replace(
    ":null",
    ":1234567890123456789012",
  );
  const contract = await putTextContract(chain.rpcUrl, `data:,${text}`);
  expect(await ask(contract, ["1"])).toEqual([
    {
      tokenId: "1",
      contractAddress: contract,
      name: "7",
      description: "1234567890123456789012",
      image: "https://ipfs.io/ipfs/bafy/cat.png",
      decimals: 18,
      properties: document.properties,
      attributes: [{ trait_type: "a", value: null }, { b: 1 }],
    },
  ]);
  const odd =
    '{"decimals":-1,"properties":[],"attributes":{},"image_url":"a:b"}';
  const second = await putTextContract(chain.rpcUrl, `data:,${odd}`);
  expect(await ask(second, ["1"])).toMatchObject([
    { ...nothing, image: "a:b" },
  ]);
});

test("numbers in a document are answered as they are", async () => {
  const text =
    '{"properties":{"supply":123456789012345678901234567890,"__proto__":{"a":1}}}';
  const contract = await putTextContract(chain.rpcUrl, `data:,${text}`);
  const answer = await host.platform.fetch(
    `http://platform.test/tokens/hardhat/${contract}/1`,
  );
  expect(await answer.text()).toContain(
    '"properties":{"supply":123456789012345678901234567890,"__proto__":{"a":1}}',
  );
});

test("who a contract is", async () => {
  const { collectible, dollar, items, legacyCoin, pools } = chain.fixtures;
  const { metadata, tokens } = host;
  const { contractInfo } = await metadata.getContractInfo({
    chainID: "31337",
    contractAddress: collectible,
  });
  expect(contractInfo).toEqual({
    chainId: 31337,
    address: collectible.toLowerCase(),
    name: "Fixture Collectible",
    type: "ERC721",
    symbol: "FCOL",
    logoURI: "",
    extensions: {
      link: "https://example.com/collectible",
      description: "Tokens that exist once each.",
      ogImage: "",
      originAddress: "",
    },
  });
  const network = "Hardhat";
  const place = { network, contractAddress: collectible };
  expect(await tokens.readContractInfo(place)).toEqual({ contractInfo });

  const { contractInfoMap } = await metadata.getContractInfoBatch({
    chainID: "hardhat",
    contractAddresses: [collectible, dollar, items, legacyCoin, pools, nobody],
  });
  const known = Object.entries(contractInfoMap).map(([address, info]) => [
    address,
    info.type,
    info.name,
    info.symbol,
  ]);
  expect(known.sort()).toEqual(
    [
      [collectible.toLowerCase(), "ERC721", "Fixture Collectible", "FCOL"],
      [dollar.toLowerCase(), "ERC20", "Fixture Dollar", "FUSD"],
      [items.toLowerCase(), "ERC1155", "Fixture Items", "FITM"],
      // Its name and symbol are 32 bytes each.
      [legacyCoin.toLowerCase(), "ERC20", "Legacy Coin", "OLD"],
      [pools.toLowerCase(), "UNKNOWN", "", ""],
    ].sort(),
  );
  expect(await ask(dollar, ["0"])).toMatchObject([{ ...nothing, decimals: 6 }]);
});

test("where no contract is, there is none, and nothing of its tokens", async () => {
  const missing = {
    ok: false,
    error: { name: "NotFound", cause: `there is no contract at ${nobody}` },
  };
  const contractAddress = nobody;
  const { metadata, tokens } = host;
  const { result } = metadata.getContractInfo;
  const rpc = result({ chainID: "hardhat", contractAddress });
  expect(await rpc).toMatchObject(missing);
  const rest = tokens.readContractInfo.result({
    network: "hardhat",
    contractAddress,
  });
  expect(await rest).toMatchObject(missing);
  expect(await ask(nobody, ["1"])).toMatchObject([nothing]);
});

test("several contracts at once, by the addresses that were given", async () => {
  const { collectible, items } = chain.fixtures;
  const { contractTokenMetadata } = await host.metadata.getTokenMetadataBatch({
    chainID: "hardhat",
    contractTokenMap: {
      [collectible]: ["2", "1"],
      [items]: ["1"],
      [nobody]: [],
    },
  });
  expect(contractTokenMetadata).toEqual({
    [collectible]: await ask(collectible, ["2", "1"]),
    [items]: await ask(items, ["1"]),
    [nobody]: [],
  });
});

test("an answer that nobody could hold is refused", async () => {
  const contracts = [makeAddress(), makeAddress(), makeAddress()];
  // As if documents of the largest kind had been read.
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number)
    select 31337, contract, token_id,
      json_build_object(
        'tokenId', token_id::text, 'contractAddress', contract,
        'name', repeat('x', 250000), 'description', '', 'image', '',
        'decimals', 0, 'properties', null, 'attributes', null
      ), 'found', 0
    from unnest(${contracts}::text[]) as contract, generate_series(1, 50) token_id
    `.execute(database);
  const tokenIds = Array.from({ length: 50 }, (_, index) => String(index + 1));
  const ask = (some: readonly string[]) =>
    host.metadata.getTokenMetadataBatch.result({
      chainID: "hardhat",
      contractTokenMap: Object.fromEntries(
        some.map((contract) => [contract, tokenIds]),
      ),
    });
  expect(await ask(contracts.slice(1))).toMatchObject({ ok: true });
  expect(await ask(contracts)).toMatchObject({
    ok: false,
    error: { name: "QueryFailed" },
  });
});

test("contracts that answer anything, and documents of any kind, do no harm", async () => {
  const site = await openSiteForTest((_, response) => response.end("[]"));
  const { rpcUrl } = chain;
  const contracts = await Promise.all([
    putContract(rpcUrl, "refuses", "0x1234"),
    putContract(rpcUrl, "answers", "0x"),
    putContract(rpcUrl, "answers", "0xff"),
    putContract(rpcUrl, "answers", toHex("x".repeat(32))),
    putContract(rpcUrl, "answers", `0x${"ff".repeat(96)}`),
    putTextContract(rpcUrl, "data:application/json,{"),
    putTextContract(rpcUrl, "\0\ud800"),
    putTextContract(rpcUrl, "x".repeat(20_000)),
    putTextContract(rpcUrl, site.url),
  ]);
  for (const contract of contracts) {
    expect(await ask(contract, ["5"])).toMatchObject([
      { ...nothing, tokenId: "5" },
    ]);
  }
  expect(site.count()).toBeGreaterThan(0);
  const { contractInfoMap } = await host.metadata.getContractInfoBatch({
    chainID: "hardhat",
    contractAddresses: contracts,
  });
  const lengths = Object.values(contractInfoMap).map(({ name }) => name.length);
  expect(lengths).toHaveLength(contracts.length);
  expect(Math.max(...lengths)).toBeLessThan(1000);
});

test("contracts send nobody to URLs of theirs (ERC-3668)", async () => {
  const site = await openSiteForTest((_, response) => response.end("{}"));
  const address = makeAddress();
  const refusal = encodeErrorResult({
    abi: parseAbi([
      "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)",
    ]),
    args: [address, [site.url], "0x", "0x00000000", "0x"],
  });
  await putContract(chain.rpcUrl, "refuses", refusal, address);
  expect(await ask(address, ["1"])).toMatchObject([nothing]);
  expect(site.count()).toBe(0);
});

test("many who ask at the same time have it read once, and kept", async () => {
  const site = await openSiteForTest((request, response) => {
    setTimeout(() => response.end(JSON.stringify({ name: request.url })), 50);
  });
  const contract = await putTextContract(chain.rpcUrl, `${site.url}/token`);
  // The contract has no other text than this: it is its contractURI, too.
  const all = Array.from({ length: 20 }, () => ask(contract, ["1", "2"]));
  for (const [one, two] of await Promise.all(all)) {
    expect([one?.name, two?.name]).toEqual(["/token", "/token"]);
  }
  await ask(contract, ["1", "2"]);
  expect(site.count()).toBe(3);
});

test("what could not be read is tried again after a while", async () => {
  let status = 503;
  const site = await openSiteForTest((_, response) => {
    response.writeHead(status).end('{"name":"there"}');
  });
  const contract = await putTextContract(chain.rpcUrl, site.url);
  expect(await ask(contract, ["1"])).toMatchObject([nothing]);
  status = 200;
  expect(await ask(contract, ["1"])).toMatchObject([nothing]);
  expect(site.count()).toBe(2);
  for (const table of ["token_metadata", "contract_info"] as const) {
    await database
      .updateTable(table)
      .set({ saved_at: sql`now() - interval '61 seconds'` })
      .where("contract", "=", contract)
      .execute();
  }
  expect(await ask(contract, ["1"])).toMatchObject([{ name: "there" }]);
  await ask(contract, ["1"]);
  expect(site.count()).toBe(4);
});

test("private networks are not read unless that is allowed", async () => {
  const site = await openSiteForTest((_, response) => response.end("{}"));
  const contractAddress = await putTextContract(chain.rpcUrl, site.url);
  const { metadata } = await openMetadata(database, {
    networks: [chain.network],
    allowPrivateTargets: false,
  });
  const tokenIDs = ["1"];
  const request = { chainID: "hardhat", contractAddress, tokenIDs };
  const { tokenMetadata } = await metadata.getTokenMetadata(request);
  expect(tokenMetadata).toMatchObject([nothing]);
  expect(site.count()).toBe(0);
});

test("while a chain does not answer, what is known is answered", async () => {
  const [silent] = silentNetworks;
  const known = await ask(chain.fixtures.collectible, ["1"]);
  const rpcUrls = silent?.rpcUrls ?? [];
  const { metadata, tokens } = await openMetadata(database, {
    networks: [{ ...chain.network, rpcUrls }],
  });
  const contractAddress = chain.fixtures.collectible;
  const place = { chainID: "hardhat", contractAddress };
  expect(
    await metadata.getTokenMetadata({ ...place, tokenIDs: ["1"] }),
  ).toEqual({ tokenMetadata: known });
  const unavailable = { ok: false, error: { name: "Unavailable" } };
  const answers = await Promise.all([
    metadata.getTokenMetadata.result({ ...place, tokenIDs: ["1", "1234"] }),
    metadata.getContractInfo.result({ ...place, contractAddress: nobody }),
    tokens.readContractInfo.result({
      network: "31337",
      contractAddress: nobody,
    }),
  ]);
  for (const answer of answers) expect(answer).toMatchObject(unavailable);
});

test("what cannot be is refused, with its place", async () => {
  const { metadata, tokens } = host;
  const contractAddress = nobody;
  const chainID = "hardhat";
  const tooLarge = (2n ** 256n).toString();
  const many = Array.from({ length: 51 }, (_, index) => String(index));
  const place = { chainID, contractAddress };
  const refused = await Promise.all([
    metadata.getTokenMetadata.result({
      ...place,
      chainID: "nowhere",
      tokenIDs: [],
    }),
    metadata.getTokenMetadata.result({ ...place, tokenIDs: ["1", tooLarge] }),
    metadata.getTokenMetadata.result({ ...place, tokenIDs: many }),
    metadata.getTokenMetadata.result({ ...place, tokenIDs: ["0x1"] }),
    metadata.getTokenMetadataBatch.result({
      chainID,
      contractTokenMap: { nobody: [] },
    }),
    metadata.getTokenMetadataBatch.result({
      chainID,
      contractTokenMap: { [nobody]: [tooLarge] },
    }),
    metadata.getContractInfoBatch.result({
      chainID,
      contractAddresses: many.map(() => nobody),
    }),
    tokens.readTokenMetadata.result({
      network: "nowhere",
      contractAddress,
      tokenIDs: ["1"],
    }),
    tokens.readTokenMetadata.result({
      network: chainID,
      contractAddress,
      tokenIDs: many,
    }),
    metadata.enqueueTokensForRefresh.result({ ...place, tokenIDs: [tooLarge] }),
    metadata.enqueueTokensForRefresh.result({
      ...place,
      chainID: "1234567",
      tokenIDs: [],
    }),
  ]);
  const causes = refused.map((answer) => {
    expect(answer).toMatchObject({ error: { name: "InvalidArgument" } });
    return answer.ok ? "" : String(answer.error.cause).replace(/:.*/su, "");
  });
  expect(causes).toEqual([
    "chainID",
    "tokenIDs[1]",
    "tokenIDs",
    "tokenIDs[0]",
    "contractTokenMap.nobody",
    `contractTokenMap.${nobody}[0]`,
    "contractAddresses",
    "network",
    "tokenIDs",
    "tokenIDs[0]",
    "chainID",
  ]);
});

test("the services ask for a key, the plain reads do not", async () => {
  const { platform } = host;
  const keyless = createMetadataHostClient({
    baseUrl: "http://platform.test",
    credentials: { accessKey: "unknown" },
    fetch: platform.fetch,
  });
  const contractAddress = chain.fixtures.collectible;
  const tokenIDs = ["1"];
  expect(
    await keyless.metadata.getTokenMetadata.result({
      chainID: "hardhat",
      contractAddress,
      tokenIDs,
    }),
  ).toMatchObject({ ok: false, error: { name: "AccessKeyNotFound" } });
  const place = { network: "hardhat", contractAddress, tokenIDs };
  expect(await keyless.tokens.readTokenMetadata(place)).toEqual({
    tokenMetadata: await ask(contractAddress, tokenIDs),
  });
});
