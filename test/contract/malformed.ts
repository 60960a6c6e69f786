import {
  contractAddress,
  hash,
  operations,
  samples,
  wallet,
  type Operation,
} from "./samples.js";

/** An invalid request and the rejection that it must cause. */
export interface MalformedRow {
  readonly operation: Operation;
  /** The fault, as shown in the test name. */
  readonly fault: string;
  readonly body: unknown;
  /**
   * The required start of the cause, which contains the path and the expected
   * value.
   */
  readonly cause: string;
}

/**
 * A change to a method's valid sample, and the rejection that it must cause.
 */
type Change = readonly [
  fault: string,
  change: Readonly<Record<string, unknown>>,
  cause: string,
];

const address = "expected an address (0x and 40 hex digits)";
const unsigned = "expected an unsigned integer";
const decimal = "expected a decimal string of at most 78 digits";
const hex = "expected hex data (0x and hex digits)";
const network = "expected a network (handle or chain id)";
const aHash = "expected a hash (0x and 64 hex digits)";
const integerText = "expected a decimal string or an unsigned integer";
const idText = `${integerText} of at most 20 digits`;

const missing = undefined;
const tooMany = (count: number, item: unknown): readonly unknown[] =>
  Array.from({ length: count + 1 }, () => item);

const item = { tokenId: "7", quantity: "1" };
const ref = { contractAddress, orderId: "1" };
const filters = { contractAddresses: [contractAddress], events: ["A()"] };
const event = {
  topicHash: hash,
  eventSig: "A()",
  types: [],
  names: [],
  values: [],
};

const swap: readonly Change[] = [
  [
    "no currency",
    { buyCurrencyAddress: missing },
    `buyCurrencyAddress: ${address}, got nothing`,
  ],
  [
    "currency without 0x",
    { buyCurrencyAddress: wallet.slice(2) },
    `buyCurrencyAddress: ${address}`,
  ],
  ["amount in hex", { buyAmount: "0x10" }, `buyAmount: ${decimal}, got "0x10"`],
  ["amount as a number", { buyAmount: 10 }, `buyAmount: ${decimal}, got 10`],
  ["79 digits", { buyAmount: "7".repeat(79) }, `buyAmount: ${decimal}, got "7`],
  [
    "chain ID as a string",
    { chainId: "137" },
    `chainId: ${unsigned}, got "137"`,
  ],
  ["chain ID below zero", { chainId: -1 }, `chainId: ${unsigned}, got -1`],
  [
    "chain ID with a fraction",
    { chainId: 1.5 },
    `chainId: ${unsigned}, got 1.5`,
  ],
  [
    "chain ID beyond 2^53-1",
    { chainId: 2n ** 53n },
    `chainId: ${unsigned}, got about 9007199254740992`,
  ],
  [
    "slippage of 101%",
    { slippagePercentage: 101 },
    "slippagePercentage: expected a percentage (0 to 100), got 101",
  ],
];

const tokens: readonly Change[] = [
  ["no chain", { chainID: missing }, `chainID: ${network}, got nothing`],
  ["chain as a number", { chainID: 137 }, `chainID: ${network}, got 137`],
  ["chain with a slash", { chainID: "a/b" }, `chainID: ${network}, got "a/b"`],
  [
    "short contract",
    { contractAddress: "0x12" },
    `contractAddress: ${address}, got "0x12"`,
  ],
  ["token ID as a number", { tokenIDs: [7] }, `tokenIDs[0]: ${decimal}, got 7`],
  ["token IDs as a string", { tokenIDs: "7" }, "tokenIDs: expected a list"],
  ["51 token ids", { tokenIDs: tooMany(50, "7") }, "tokenIDs: expected "],
];

const changes: Partial<Record<Operation, readonly Change[]>> = {
  "API.GetSwapPrice": swap,
  "API.GetSwapPrices": [
    ...swap,
    [
      "no user",
      { userAddress: missing },
      `userAddress: ${address}, got nothing`,
    ],
  ],
  "API.GetSwapQuote": [
    ...swap,
    [
      "includeApprove as a string",
      { includeApprove: "true" },
      `includeApprove: expected a boolean, got "true"`,
    ],
  ],
  "API.IsValidSignature": [
    ["short digest", { digest: "0x12" }, `digest: ${aHash}, got "0x12"`],
    ["empty signature", { signature: "" }, `signature: ${hex}, got ""`],
    ["chain ID as a number", { chainId: 137 }, `chainId: ${network}, got 137`],
    [
      "no wallet",
      { walletAddress: null },
      `walletAddress: ${address}, got null`,
    ],
  ],
  "API.GetLinkedWallets": [
    [
      "no message",
      { parentWalletMessage: missing },
      "parentWalletMessage: expected a string of at most 10000 characters, got nothing",
    ],
    [
      "signature that is not hex",
      { parentWalletSignature: "zz" },
      `parentWalletSignature: ${hex}, got a hidden value`,
    ],
    [
      "wallet name",
      { parentWalletAddress: "vitalik.eth" },
      `parentWalletAddress: ${address}, got "vitalik.eth"`,
    ],
    [
      "empty chain",
      { signatureChainId: "" },
      `signatureChainId: ${network}, got ""`,
    ],
  ],
  "Builder.ListAudiences": [
    [
      "no project",
      { projectId: missing },
      `projectId: ${unsigned}, got nothing`,
    ],
    [
      "project as a string",
      { projectId: "abc" },
      `projectId: ${unsigned}, got "abc"`,
    ],
    ["project below zero", { projectId: -1 }, `projectId: ${unsigned}, got -1`],
  ],
  "Builder.DeleteAudience": [
    [
      "no audience",
      { audienceId: missing },
      `audienceId: ${unsigned}, got nothing`,
    ],
    [
      "audience null",
      { audienceId: null },
      `audienceId: ${unsigned}, got null`,
    ],
    [
      "audience as a list",
      { audienceId: [7] },
      `audienceId: ${unsigned}, got `,
    ],
  ],
  "Builder.RemoveAudienceContacts": [
    ["no contacts", { contactIds: missing }, "contactIds: expected a list"],
    [
      "contact beyond 64 bits",
      { contactIds: [1, 2n ** 64n] },
      "contactIds[1]: expected an unsigned 64-bit integer, got 18446744073709551616",
    ],
    [
      "contact below zero",
      { contactIds: [-1] },
      "contactIds[0]: expected an unsigned 64-bit integer, got -1",
    ],
    [
      "contact as a string",
      { contactIds: ["1"] },
      `contactIds[0]: expected an unsigned 64-bit integer, got "1"`,
    ],
    [
      "contact with a fraction",
      { contactIds: [0.5] },
      "contactIds[0]: expected an unsigned 64-bit integer, got 0.5",
    ],
  ],
  "Relayer.AddGasSponsor": [
    [
      "no project",
      { projectId: missing },
      `projectId: ${unsigned}, got nothing`,
    ],
    ["no address", { address: missing }, `address: ${address}, got nothing`],
    ["short address", { address: "0x12" }, `address: ${address}, got "0x12"`],
    [
      "active as a string",
      { active: "yes" },
      `active: expected a boolean, got "yes"`,
    ],
  ],
  "Marketplace.GetHighestPriceOfferForCollectible": [
    ["token ID as a number", { tokenId: 7 }, `tokenId: ${decimal}, got 7`],
    ["filter as a list", { filter: [] }, "filter: expected an object"],
    [
      "filter with a number",
      { filter: { createdBy: [1] } },
      `filter.createdBy[0]: ${address}, got 1`,
    ],
    [
      "marketplace as a number",
      { filter: { marketplace: [1] } },
      "filter.marketplace[0]: expected a string, got 1",
    ],
  ],
  "Marketplace.CheckoutOptionsSalesContract": [
    ["no items", { items: missing }, "items: expected a list"],
    [
      "item without a quantity",
      { items: [item, { tokenId: "7" }] },
      `items[1].quantity: ${decimal}, got nothing`,
    ],
    ["item that is a string", { items: ["7"] }, "items[0]: expected an object"],
    ["101 items", { items: tooMany(100, item) }, "items: expected "],
    ["no wallet", { wallet: missing }, `wallet: ${address}, got nothing`],
  ],
  "Marketplace.GetOrders": [
    ["no input", { input: missing }, "input: expected a list"],
    [
      "missing order ID",
      { input: [{ contractAddress }] },
      "input[0].orderId: expected ",
    ],
    [
      "empty order ID",
      { input: [{ contractAddress, orderId: "" }] },
      "input[0].orderId: expected ",
    ],
    ["101 orders", { input: tooMany(100, ref) }, "input: expected "],
    ["page 0", { page: { page: 0, pageSize: 30 } }, "page.page: expected "],
    [
      "101 on a page",
      { page: { page: 1, pageSize: 101 } },
      "page.pageSize: expected ",
    ],
    [
      "unknown direction",
      { page: { page: 1, pageSize: 1, sort: [{ column: "id", order: "UP" }] } },
      "page.sort[0].order: expected ",
    ],
  ],
  "Metadata.GetTokenMetadata": tokens,
  "Metadata.EnqueueTokensForRefresh": [
    ...tokens,
    [
      "refreshAll as a number",
      { refreshAll: 1 },
      "refreshAll: expected a boolean, got 1",
    ],
  ],
  "Metadata.GetTokenRefreshStatus": [
    ["no task", { taskId: missing }, `taskId: ${unsigned}, got nothing`],
    ["task as a string", { taskId: "1" }, `taskId: ${unsigned}, got "1"`],
    ["task with a fraction", { taskId: 0.1 }, `taskId: ${unsigned}, got 0.1`],
  ],
  "Metadata.GetTokenMetadataBatch": [
    ["no map", { contractTokenMap: missing }, "contractTokenMap: expected "],
    [
      "list instead of a map",
      { contractTokenMap: [] },
      "contractTokenMap: expected ",
    ],
    [
      "tokens as a string",
      { contractTokenMap: { a: "7" } },
      "contractTokenMap.a: expected a list",
    ],
    [
      "token as a number",
      { contractTokenMap: { a: [7] } },
      `contractTokenMap.a[0]: ${decimal}, got 7`,
    ],
    [
      "51 tokens",
      { contractTokenMap: { a: tooMany(50, "7") } },
      "contractTokenMap.a: expected ",
    ],
    [
      "51 contracts",
      {
        contractTokenMap: Object.fromEntries(
          tooMany(50, []).map((none, index) => [`c${index}`, none]),
        ),
      },
      "contractTokenMap: expected ",
    ],
  ],
  "Metadata.GetContractInfo": [
    [
      "no contract",
      { contractAddress: missing },
      `contractAddress: ${address}, got nothing`,
    ],
    [
      "contract as a number",
      { contractAddress: 1 },
      `contractAddress: ${address}, got 1`,
    ],
    ["no chain", { chainID: missing }, `chainID: ${network}, got nothing`],
  ],
  "Metadata.GetContractInfoBatch": [
    [
      "no contracts",
      { contractAddresses: missing },
      "contractAddresses: expected a list",
    ],
    [
      "short contract",
      { contractAddresses: [contractAddress, "0x"] },
      `contractAddresses[1]: ${address}, got "0x"`,
    ],
    [
      "51 contracts",
      { contractAddresses: tooMany(50, contractAddress) },
      "contractAddresses: expected ",
    ],
  ],
  "Indexer.AddWebhookListener": [
    ["no url", { url: missing }, "url: expected "],
    ["URL without a host", { url: "/hook" }, "url: expected "],
    ["URL of a file", { url: "file:///etc/passwd" }, "url: expected "],
    ["no filters", { filters: missing }, "filters: expected an object"],
    [
      "no events",
      { filters: { contractAddresses: [] } },
      "filters.events: expected a list",
    ],
    [
      "event without arguments",
      { filters: { ...filters, events: ["Transfer"] } },
      `filters.events[0]: expected an event signature, got "Transfer"`,
    ],
    [
      "token ID below zero",
      { filters: { ...filters, tokenIDs: [-1] } },
      `filters.tokenIDs[0]: ${integerText}`,
    ],
    [
      "token ID with a fraction",
      { filters: { ...filters, tokenIDs: [1.5] } },
      `filters.tokenIDs[0]: ${integerText}`,
    ],
    [
      "short topic",
      { filters: { ...filters, topicHashes: ["0x1"] } },
      `filters.topicHashes[0]: ${aHash}, got "0x1"`,
    ],
  ],
  "Indexer.RemoveWebhookListener": [
    ["no id", { id: missing }, `id: ${idText}, got nothing`],
    ["ID as a word", { id: "seven" }, `id: ${idText}, got "seven"`],
    ["ID of 21 digits", { id: "7".repeat(21) }, `id: ${idText}, got "7`],
    ["no project", { projectId: missing }, `projectId: ${idText}, got nothing`],
    ["project with a fraction", { projectId: 1.5 }, `projectId: ${idText}`],
  ],
  "IndexerWebhook.Notify": [
    ["no uid", { uid: missing }, "uid: expected "],
    ["block as a string", { blockNumber: "1" }, "blockNumber: expected "],
    [
      "block beyond 32 bits",
      { blockNumber: 2 ** 31 },
      "blockNumber: expected ",
    ],
    [
      "parent block as a number",
      { parentBlockHash: 1 },
      `parentBlockHash: ${aHash}, got 1`,
    ],
    [
      "log index as a number",
      { txnLogIndex: 121 },
      "txnLogIndex: expected a string, got 121",
    ],
    ["time without a zone", { ts: "2026-01-31T12:00:00" }, "ts: expected "],
    [
      "value that is not hex",
      { event: { ...event, values: ["7"] } },
      `event.values[0]: ${hex}, got "7"`,
    ],
    ["no topics", { rawLog: { data: "0x" } }, "rawLog.topics: expected a list"],
  ],
};

/** Malformed requests, at least three for every operation with a body. */
export const malformedRows: readonly MalformedRow[] = operations.flatMap(
  (operation) =>
    (changes[operation] ?? []).map(([fault, change, cause]) => ({
      operation,
      fault,
      body: { ...samples[operation].request, ...change },
      cause,
    })),
);

/** Paths of invalid REST reads, and the rejection that each must cause. */
export const malformedReads: readonly (readonly [
  path: string,
  cause: string,
])[] = [
  ["/tokens/polygon/0x12", `contractAddress: ${address}, got "0x12"`],
  [`/tokens/a%20b/${contractAddress}`, `network: ${network}, got "a b"`],
  [`/tokens/a%2Fb/${contractAddress}`, `network: ${network}, got "a/b"`],
  ["/tokens/polygon/0x12/7", `contractAddress: ${address}, got "0x12"`],
  [
    `/tokens/polygon/${contractAddress}/7,x`,
    `tokenIDs[1]: ${decimal}, got "x"`,
  ],
  [
    `/tokens/polygon/${contractAddress}/7,,8`,
    `tokenIDs[1]: ${decimal}, got ""`,
  ],
  [
    `/tokens/polygon/${contractAddress}/-7`,
    `tokenIDs[0]: ${decimal}, got "-7"`,
  ],
  [
    `/tokens/polygon/${contractAddress}/0x7`,
    `tokenIDs[0]: ${decimal}, got "0x7"`,
  ],
  [
    `/tokens/polygon/${contractAddress}/${tooMany(50, "7").join(",")}`,
    "tokenIDs: expected ",
  ],
];
