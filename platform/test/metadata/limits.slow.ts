import { parseJson } from "@ridlkit/runtime/json";
import { sql } from "kysely";
import pg from "pg";
import { encodeErrorResult, parseAbi, toHex } from "viem";
import { expect, onTestFinished, test, vi } from "vitest";

import {
  createMetadataHostClient,
  type MetadataHostClient,
} from "../../../generated/metadata/client.js";
import { rowBytes } from "../../database/stored-documents.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks } from "../../network/networks.js";
import { createOutbound, type Outbound } from "../../outbound/outbound.js";
import {
  createContractCache,
  readingPartsOf,
} from "../../services/metadata/contract-cache.js";
import { createReadLimit } from "../../services/metadata/limit-reads.js";
import { createRefresh } from "../../services/metadata/refresh-store.js";
import {
  noProgress,
  refreshTokens,
} from "../../services/metadata/refresh-tokens.js";
import { createTokenCache } from "../../services/metadata/token-cache.js";
import { createFindTokens } from "../../services/metadata/token-store.js";
import { openSiteForTest } from "../support/local-site.js";
import { longestStep } from "../support/longest-step.js";
import {
  nobody,
  nothing,
  openMetadata,
  openMetadataOnChain,
} from "../support/open-metadata.js";
import {
  makeAddress,
  putContract,
  putStringContract,
} from "../support/plain-contract.js";
import { createTestProject } from "../support/serve-platform.js";
import { silentNetworks } from "../support/start-chain.js";

const { database, chain, host, ask } = await openMetadataOnChain();

test("rejects invalid values and reports their location", async () => {
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

test("requires a key for the Metadata service but not for the Tokens service", async () => {
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

test("rejects a request whose response would be too large", async () => {
  const contracts = [makeAddress(), makeAddress()];
  // Store large documents, as if they had been fetched.
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number)
    select 31337, contract, token_id,
      json_build_object(
        'tokenId', token_id::text, 'contractAddress', contract,
        'name', repeat('x', 120000), 'description', '', 'image', '',
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
  const isRefused = { ok: false, error: { name: "QueryFailed" } };
  expect(await ask(contracts)).toMatchObject(isRefused);

  const [contractAddress = nobody] = contracts;
  const read = () =>
    host.tokens.readTokenMetadata.result({
      ...{ network: "hardhat", contractAddress, tokenIDs: tokenIds },
    });
  expect(await read()).toMatchObject({ ok: true });
  await sql`
    update token_metadata set document = jsonb_set(
      document::jsonb, '{name}', to_jsonb(repeat('x', 250000)))::text
    where contract = ${contractAddress}`.execute(database);
  expect(await read()).toMatchObject(isRefused);
});

test("a batch of contracts that do not exist takes few statements", async () => {
  const tokenIds = Array.from({ length: 50 }, (_, index) => String(index));
  const ask = () =>
    host.metadata.getTokenMetadataBatch.result({
      chainID: "hardhat",
      contractTokenMap: Object.fromEntries(
        tokenIds.map(() => [makeAddress(), tokenIds]),
      ),
    });
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  expect(await ask()).toMatchObject({ ok: true });
  expect(query.mock.calls.length).toBeLessThan(60);
});

test("lets other work run between large documents", async () => {
  const contract = makeAddress();
  const attributes = Array.from({ length: 9000 }, (_, at) => ({ at }));
  const document = JSON.stringify({ attributes });
  const tokenIds = Array.from({ length: 70 }, (_, at) => String(at));
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number)
    select 31337, ${contract}, unnest(${tokenIds}::text[]), ${document}, 'found', 0
    `.execute(database);
  const [network] = host.platform.platform.networks.all;
  if (network === undefined) throw new Error("there is a network");
  const find = createFindTokens(database);
  const atOnce = await longestStep(() => {
    for (let at = 0; at < tokenIds.length; at += 1) parseJson(document);
    return Promise.resolve();
  });
  const inSteps = await longestStep(() =>
    find({ network, contract }, tokenIds),
  );
  expect(inSteps).toBeLessThan(atOnce / 2);
});

test("tolerates contracts with arbitrary answers and documents of any kind", async () => {
  const site = await openSiteForTest((_, response) => response.end("[]"));
  const { rpcUrl } = chain;
  const contracts = await Promise.all([
    putContract(rpcUrl, "refuses", "0x1234"),
    putContract(rpcUrl, "answers", "0x"),
    putContract(rpcUrl, "answers", "0xff"),
    putContract(rpcUrl, "answers", toHex("x".repeat(32))),
    putContract(rpcUrl, "answers", `0x${"ff".repeat(96)}`),
    putStringContract(rpcUrl, "data:application/json,{"),
    putStringContract(rpcUrl, "\0\ud800"),
    putStringContract(rpcUrl, "x".repeat(20_000)),
    putStringContract(rpcUrl, site.url),
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

test("does not follow URLs from contracts (ERC-3668)", async () => {
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

test("does not read from private networks unless the settings allow it", async () => {
  const site = await openSiteForTest((_, response) => response.end("{}"));
  const contractAddress = await putStringContract(chain.rpcUrl, site.url);
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

test("returns known data while a chain does not respond", async () => {
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

test("reads no tokens of addresses without a contract", async () => {
  const reads: string[] = [];
  const outbound = createOutbound(false);
  const findTokens = createTokenCache(
    {
      database,
      source: { outbound, ipfsGateway: "" },
      limit: async (read, owner) => {
        reads.push(owner);
        return (await read()).value;
      },
      noteStored: () => Promise.resolve(),
    },
    () => Promise.resolve(new Map()),
  );
  const [network] = createNetworks([chain.network], openChainClient).all;
  if (network === undefined) throw new Error("the network is missing");
  const ids = Array.from({ length: 50 }, (_, id) => String(id));
  const found = await findTokens({ network, contract: nobody }, ids, "caller");
  expect(found.map(({ tokenId }) => tokenId)).toEqual(ids);
  expect(found[0]).toMatchObject(nothing);
  expect(reads).toEqual([]);
});

test("counts the size of the documents that reads and refreshes store", async () => {
  const contract = await putStringContract(chain.rpcUrl, 'data:,{"name":"é"}');
  const noted: number[] = [];
  const parts = {
    ...readingPartsOf(host.platform.platform),
    limit: createReadLimit(),
    noteStored: (size: number) => Promise.resolve(void noted.push(size)),
  };
  const [network] = host.platform.platform.networks.all;
  if (network === undefined) throw new Error("the network is missing");
  const place = { network, contract };
  const findTokens = createTokenCache(parts, createContractCache(parts));
  await findTokens(place, ["1"], "caller");
  const { id: projectId } = await createTestProject(host.platform.store);
  const { chainId } = network;
  const task = { projectId, chainId, contract, tokenIds: ["1"] };
  const taskId = await createRefresh(
    database,
    { ...task, isForAll: false },
    { maxTasks: 1, maxTokens: 1 },
  );
  const { signal } = new AbortController();
  await refreshTokens(parts, place, taskId, noProgress, signal);
  const { rows } = await sql<{ readonly size: number }>`
    select octet_length(document) as size from contract_info
    where contract = ${contract}
    union all select octet_length(document) from token_metadata
    where contract = ${contract}`.execute(database);
  const sizes = rows.map(({ size }) => size + rowBytes);
  expect(sizes).toHaveLength(2);
  expect(noted).toEqual([...sizes, ...sizes]);
});

test("does not delay other callers when hosts never respond", async () => {
  const mute = await openSiteForTest(() => undefined);
  const contract = await putStringContract(chain.rpcUrl, mute.url);
  const { accessKey } = await createTestProject(host.platform.store);
  const other = createMetadataHostClient({
    baseUrl: "http://platform.test",
    credentials: { accessKey },
    fetch: host.platform.fetch,
  });
  const read = (
    { metadata }: Pick<MetadataHostClient, "metadata">,
    contractAddress: string,
    tokenIDs: string[],
  ) =>
    metadata.getTokenMetadata.result({
      ...{ chainID: "hardhat", contractAddress, tokenIDs },
    });
  const calls = Array.from({ length: 4 }, (_, call) =>
    read(
      host,
      contract,
      Array.from({ length: 50 }, (_, index) => String(50 * call + index)),
    ),
  );
  const slow = { timeout: 40_000 };
  await expect.poll(mute.count, slow).toBeGreaterThan(15);
  const items = await putStringContract(chain.rpcUrl, "data:,{}");
  expect(await read(other, items, ["1"])).toMatchObject({ ok: true });
  // The other reads are still waiting.
  expect(mute.count()).toBeLessThan(100);
  await mute.close();
  await Promise.all(calls);
});

test("does not read queued tokens once their caller has left", async () => {
  let asked = 0;
  let isHeld = true;
  const held: (() => void)[] = [];
  const { url } = await openSiteForTest((_, response) => {
    asked += 1;
    const answer = () => void response.end("{}");
    // The first document is that of the contract.
    if (isHeld && asked > 1) held.push(answer);
    else answer();
  });
  const contractAddress = await putStringContract(chain.rpcUrl, url);
  const read = (tokenIDs: string[], signal?: AbortSignal) =>
    host.metadata.getTokenMetadata(
      { chainID: "hardhat", contractAddress, tokenIDs },
      { ...(signal && { signal }) },
    );
  const caller = new AbortController();
  const ids = Array.from({ length: 50 }, (_, index) => String(index));
  const left = read(ids, caller.signal);
  // A caller reads 16 tokens at once.
  await expect.poll(() => held.length).toBe(16);
  caller.abort();
  await expect(left).rejects.toThrow();
  isHeld = false;
  for (const answer of held) answer();
  // The reads that were queued would come first.
  await read(["50"]);
  expect(asked).toBe(1 + 16 + 1);
  // What had been requested is stored.
  await read(ids.slice(0, 16));
  expect(asked).toBe(1 + 16 + 1);
});

test("does not wait in the queue of another caller for the same token", async () => {
  const held: (() => void)[] = [];
  let isHeld = true;
  const read: string[] = [];
  const request: Outbound["request"] = async ({ url }) => {
    read.push(url);
    if (isHeld) await new Promise<void>((answer) => held.push(answer));
    return { status: 200, headers: {}, body: Buffer.from("{}") };
  };
  const outbound = { ...createOutbound(false), request };
  const findTokens = createTokenCache(
    {
      database,
      source: { outbound, ipfsGateway: "" },
      limit: createReadLimit(),
      noteStored: () => Promise.resolve(),
    },
    () => Promise.resolve(new Map()),
  );
  const [network] = createNetworks([chain.network], openChainClient).all;
  if (network === undefined) throw new Error("the network is missing");
  const uri = "https://documents.test/{id}";
  const contract = await putStringContract(chain.rpcUrl, uri);
  const known = {
    decimals: 0,
    info: {
      ...{ chainId: network.chainId, address: contract, type: "ERC1155" },
      ...{ name: "", symbol: "", logoURI: "" },
      extensions: { link: "", description: "", ogImage: "", originAddress: "" },
    },
  };
  const find = (caller: string, ...ids: readonly string[]) =>
    findTokens({ network, contract }, ids, caller, known);
  const ids = Array.from({ length: 50 }, (_, id) => String(id));
  const first = find("first", ...ids);
  // A caller reads 16 tokens at once.
  await expect.poll(() => held.length).toBe(16);
  isHeld = false;
  expect(await find("other", "49")).toMatchObject([{ tokenId: "49" }]);
  expect(read).toHaveLength(17);
  for (const answer of held) answer();
  expect(await first).toHaveLength(50);
  expect(read).toHaveLength(50);
});
