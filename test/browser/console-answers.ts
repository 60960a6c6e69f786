/** A project in the mocked console. */
export const project = {
  id: 42,
  name: "My game",
  createdAt: "2026-01-31T12:00:00Z",
};

const delivery = {
  ...{ key: "7:0xdd", projectId: 42, listenerId: 7, attempts: 3 },
  ...{ state: "dead", createdAt: "2026-01-31T12:00:00Z" },
  reason: "the receiver responded with 500",
};

const networks = [
  {
    handle: "polygon",
    chainId: 137,
    nativeSymbol: "POL",
    nativeDecimals: 18,
    explorerUrl: "https://polygonscan.com/",
    hasSingleSource: false,
  },
];

/** The session in the mocked console. */
export const session = { operator: "owner", role: "owner", denied: [""] };

const today = new Date().toISOString().slice(0, 10);

/**
 * The mocked console's responses, by method. Other methods return mock data.
 */
export const answers = {
  "Operators/GetSession": { session },
  "Operators/SignIn": { session },
  "Operators/ListFollowers": {
    followers: [
      {
        ...{ name: "indexer", chainId: 137, firstBlock: 0, nextBlock: 51 },
        ...{ lastBlock: 99, isRunning: true, incompleteBlocks: 0 },
      },
    ],
  },
  "Operators/ListNetworks": { networks },
  "Projects/GetProject": { project },
  "Projects/CreateProject": { project },
  "Projects/ListProjects": [
    {
      request: { page: { after: "2" } },
      response: { projects: [{ ...project, id: 41, name: "Older" }] },
    },
    { response: { projects: [project], next: "2" } },
  ],
  "Keys/ListAccessKeys": { accessKeys: [] },
  "Keys/CreateAccessKey": {
    accessKey: {
      ...{ id: 1, projectId: 42, name: "", ending: "e-end" },
      createdAt: "2026-01-31T12:00:00Z",
    },
    key: "AQAAAAAAAAA-the-one-end",
  },
  "GasTanks/ListGasTanks": {
    gasTanks: [
      {
        ...{ id: 1, projectId: 42, chainId: 137, reserved: "0" },
        balance: "1500000000000000000000000001",
        createdAt: "2026-01-31T12:00:00Z",
        updatedAt: "2026-01-31T12:00:00Z",
      },
    ],
  },
  "GasTanks/ListRelays": {
    relays: [
      {
        ...{ id: 7, chainId: 137, wallet: `0x${"a".repeat(40)}` },
        ...{ status: "reverted", cost: "1000", maxCost: "2000" },
        transactionHash: `0x${"b".repeat(64)}`,
        createdAt: "2026-01-31T12:00:00Z",
      },
    ],
  },
  "GasTanks/GetRevertReason": { reason: "not the owner" },
  "Webhooks/ListDeliveries": { deliveries: [delivery] },
  "Webhooks/GetDelivery": {
    delivery,
    notification: { type: "BLOCK_ADDED", logs: [{ blockNumber: 7 }] },
    attempts: [
      {
        at: "2026-01-31T12:00:00Z",
        durationMs: 31,
        reason: "responded with 500",
      },
    ],
  },
  "Webhooks/ListListeners": {
    listeners: [
      {
        ...{ id: 7, projectId: 42, chainId: 137, state: "active" },
        skippedLogs: 0,
        url: "https://example.com/webhooks",
        filters: {
          contractAddresses: [],
          events: [
            "Transfer(address,address,uint256)",
            "Approval(address,address,uint256)",
          ],
        },
        createdAt: "2026-01-31T12:00:00Z",
        updatedAt: "2026-01-31T12:00:00Z",
      },
    ],
  },
  "Webhooks/SendTestEvent": {
    attempt: {
      ...{ at: "2026-01-31T12:00:00Z", durationMs: 31 },
      reason: "responded with 500: out of memory",
    },
  },
  "Activity/ListCalls": {
    calls: [
      {
        ...{ id: 2, requestId: "5b0f1b0a-3c7e", status: 400, durationMs: 3 },
        projectId: 42,
        ...{ service: "Marketplace", method: "GetOrders", network: "polygon" },
        ...{ error: "WebrpcBadRequest", invalidFields: ["/input/0/orderId"] },
        traceUrl: "https://traces.example.com/trace/1f",
        createdAt: "2026-01-31T12:00:00Z",
      },
      {
        ...{ id: 1, requestId: "5b0f1b0a-3c7d", status: 200, durationMs: 12 },
        projectId: 42,
        ...{ service: "API", method: "GetSwapPrices", invalidFields: [] },
        createdAt: "2026-01-31T12:00:00Z",
      },
    ],
  },
  "Activity/ListActions": {
    actions: [
      {
        ...{ id: 1, operator: "owner", projectId: 42, details: {} },
        ...{ method: "Webhooks/RevealWebhookSecret", outcome: "done" },
        createdAt: "2026-01-31T12:00:00Z",
      },
    ],
  },
  "Activity/GetUsage": {
    usage: [
      {
        ...{ day: today, service: "Marketplace", method: "GetOrders" },
        ...{ calls: 1200, failures: 30 },
      },
    ],
  },
};

/** The path of each page, and one that does not exist. */
export const paths = [
  "/",
  "/projects/42",
  "/projects/42/keys",
  "/projects/42/audiences",
  "/projects/42/audiences/7",
  "/projects/42/gas",
  "/projects/42/gas/137",
  "/projects/42/relays",
  "/projects/42/webhooks",
  "/projects/42/deliveries",
  "/projects/42/deliveries/7:0xdd",
  "/projects/42/calls",
  "/projects/42/refreshes",
  "/projects/42/log",
  "/wallets",
  "/chains",
  "/money",
  "/activity",
  "/nowhere",
];
