import { sql } from "kysely";
import { expect, test } from "vitest";

import { openSiteForTest } from "../support/local-site.js";
import {
  nobody,
  nothing,
  openMetadataOnChain,
} from "../support/open-metadata.js";
import { putStringContract } from "../support/plain-contract.js";

const { database, chain, host, ask } = await openMetadataOnChain();

test("returns tokens of an ERC-721 contract in the requested order", async () => {
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
    // This token has not been minted.
    { ...nothing, tokenId: "99", contractAddress },
    three,
    three,
  ]);
  expect(await ask(contractAddress, ["3"])).toEqual([three]);
});

test("returns tokens of an ERC-1155 contract, up to the largest ID", async () => {
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

test("stores nothing about IDs of a currency", async () => {
  const contractAddress = chain.fixtures.dollar.toLowerCase();
  const dollar = { ...nothing, contractAddress, decimals: 6 };
  expect(await ask(contractAddress, ["7", "8"])).toEqual([
    { ...dollar, tokenId: "7" },
    { ...dollar, tokenId: "8" },
  ]);
  const { rows } = await sql`
    select from token_metadata where contract = ${contractAddress}`.execute(
    database,
  );
  expect(rows).toEqual([]);
});

test("concurrent calls get their own tokens", async () => {
  const { collectible, items } = chain.fixtures;
  const calls = [
    [collectible, ["1", "2"]],
    [items, ["2", "1", "1"]],
    [nobody, ["1"]],
    // Too many to share a statement with the other calls.
    [collectible, ["5", "4", "3", "2", "1"]],
    [collectible, ["2"]],
  ] as const;
  const alone: unknown[] = [];
  for (const [contract, ids] of calls)
    alone.push(await ask(contract, [...ids]));
  const together = calls.map(([contract, ids]) => ask(contract, [...ids]));
  expect(await Promise.all(together)).toEqual(alone);
});

test("uses the valid parts of a document", async () => {
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
  const contract = await putStringContract(chain.rpcUrl, `data:,${text}`);
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
  for (const decimals of ["-1", "256", "1.5", '"18"']) {
    const odd = `{"decimals":${decimals},"properties":[],"attributes":{},"image_url":"a:b"}`;
    const second = await putStringContract(chain.rpcUrl, `data:,${odd}`);
    expect(await ask(second, ["1"])).toMatchObject([
      { ...nothing, image: "a:b" },
    ]);
  }
});

test("returns numbers in a document unchanged", async () => {
  const text =
    '{"properties":{"supply":123456789012345678901234567890,"__proto__":{"a":1}}}';
  const contract = await putStringContract(chain.rpcUrl, `data:,${text}`);
  const answer = await host.platform.fetch(
    `http://platform.test/tokens/hardhat/${contract}/1`,
  );
  expect(await answer.text()).toContain(
    '"properties":{"supply":123456789012345678901234567890,"__proto__":{"a":1}}',
  );
});

test("leaves out numbers beyond the range of a double", async () => {
  const text =
    '{"name":1e400,"properties":{"a":[{"b":-1e400}]},"attributes":[{"a":1e400},{"b":1}]}';
  const contract = await putStringContract(chain.rpcUrl, `data:,${text}`);
  expect(await ask(contract, ["1"])).toEqual([
    {
      ...{ ...nothing, tokenId: "1", contractAddress: contract },
      attributes: [{ b: 1 }],
    },
  ]);
});

test("describes a contract", async () => {
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
      description: "One-of-a-kind tokens.",
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
      // The name and symbol of this contract are 32-byte values.
      [legacyCoin.toLowerCase(), "ERC20", "Legacy Coin", "OLD"],
      [pools.toLowerCase(), "UNKNOWN", "", ""],
    ].sort(),
  );
  expect(await ask(dollar, ["0"])).toMatchObject([{ ...nothing, decimals: 6 }]);
});

test("describes a contract by its document if it returns no valid name or symbol", async () => {
  const document = {
    name: "Cats",
    symbol: "CAT",
    // The contract returns the document from each function, and a name of this
    // length is invalid.
    description: "Many cats. ".repeat(20),
    image: "ipfs://bafy/cat.png",
    banner_image: "https://example.com/cats.png",
    external_url: "https://example.com/cats",
  };
  const uri = `data:,${JSON.stringify(document)}`;
  const contractAddress = await putStringContract(chain.rpcUrl, uri);
  const place = { chainID: "hardhat", contractAddress };
  expect(await host.metadata.getContractInfo(place)).toEqual({
    contractInfo: {
      chainId: 31337,
      address: contractAddress,
      name: "Cats",
      type: "UNKNOWN",
      symbol: "CAT",
      logoURI: "https://ipfs.io/ipfs/bafy/cat.png",
      extensions: {
        link: document.external_url,
        description: document.description,
        ogImage: document.banner_image,
        originAddress: "",
      },
    },
  });
});

test("returns NotFound for an address without a contract", async () => {
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

test("returns tokens of several contracts, keyed by the requested addresses", async () => {
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

test("fetches a document once for simultaneous callers, and stores it", async () => {
  const site = await openSiteForTest((request, response) => {
    setTimeout(() => response.end(JSON.stringify({ name: request.url })), 50);
  });
  const contract = await putStringContract(chain.rpcUrl, `${site.url}/token`);
  // The contract's only string also serves as its contractURI.
  const all = Array.from({ length: 20 }, () => ask(contract, ["1", "2"]));
  for (const [one, two] of await Promise.all(all)) {
    expect([one?.name, two?.name]).toEqual(["/token", "/token"]);
  }
  await ask(contract, ["1", "2"]);
  expect(site.count()).toBe(3);
});

test("retries a failed read after a while", async () => {
  let status = 503;
  const site = await openSiteForTest((_, response) => {
    response.writeHead(status).end('{"name":"there"}');
  });
  const contract = await putStringContract(chain.rpcUrl, site.url);
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
