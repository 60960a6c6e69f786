/**
 * A field in the interface document. The tables in this file are written from
 * the document instead of the schema so that the two can be compared.
 *
 * A field is written as `name type`. `name? type` may be absent, `type|null`
 * may be null, and a leading `+` marks an addition that is not in the document.
 * The types are those of the document: string, number, boolean, any, `T[]`,
 * `map<T>`, or the name of an object.
 */
export type FieldRow = string;

/** The base addresses from section 1. */
export const baseAddresses = {
  api: "{base_url}",
  metadata: "{metadata_url}",
  relayer: "{relayer_url}",
  marketplace: "{marketplace_url}",
  indexer: "{indexer_url}",
};

/** The objects from sections 2 and 6, in the order of the document. */
export const objects: Readonly<Record<string, readonly FieldRow[]>> = {
  SwapQuote: [
    "currencyAddress string",
    "currencyBalance string",
    "price string",
    "maxPrice string",
    "to string",
    "transactionData string",
    "transactionValue string",
    "approveData string",
  ],
  SwapPrice: [
    "currencyAddress string",
    "currencyBalance string",
    "price string",
    "maxPrice string",
    "transactionValue string",
  ],
  LinkedWallet: [
    "id number",
    "walletAddress string",
    "linkedWalletAddress string",
    "walletType? string",
    "createdAt? string",
  ],
  Audience: [
    "id number",
    "projectId number",
    "name string",
    "contactCount number",
    "createdAt string",
    "updatedAt string",
    "deletedAt? string",
  ],
  GasSponsor: [
    "id number",
    "gasTankId number",
    "projectId number",
    "chainId number",
    "address string",
    "name string",
    "active boolean",
    "updatedAt string",
    "createdAt string",
    "deletedAt? string",
  ],
  Order: [
    "id number",
    "collectionId number",
    "orderId string",
    "chainId number",
    "originName string",
    "collectionContractAddress string",
    "createdBy string",
    "priceAmount string",
    "priceAmountFormatted string",
    "priceAmountNet string",
    "priceAmountNetFormatted string",
    "priceCurrencyAddress string",
    "priceDecimals number",
    "priceUSD number",
    "priceUSDFormatted string",
    "quantityInitial string",
    "quantityInitialFormatted string",
    "quantityRemaining string",
    "quantityRemainingFormatted string",
    "quantityAvailable string",
    "quantityAvailableFormatted string",
    "quantityDecimals number",
    "feeBps number",
    "feeBreakdown FeeBreakdown[]",
    "validFrom string",
    "validUntil string",
    "blockNumber number",
    "createdAt string",
    "updatedAt string",
    "collectibleId? number",
    "tokenId? string",
    "orderCreatedAt? string",
    "orderUpdatedAt? string",
    "deletedAt? string",
    "+marketplace? string",
    "+source? string",
    "+side? string",
    "+status? string",
  ],
  FeeBreakdown: ["kind string", "recipientAddress string", "bps number"],
  Page: ["page number", "pageSize number", "more? boolean", "sort? SortBy[]"],
  SortBy: ["column string", "+order? string"],
  CheckoutOptions: [
    "swap string[]",
    "nftCheckout string[]",
    "onRamp string[]",
    "+crypto? string",
  ],
  TokenMetadata: [
    "tokenId string",
    "contractAddress string",
    "name string",
    "description string",
    "image string",
    "decimals number",
    "properties map<any>|null",
    "attributes map<any>[]|null",
  ],
  ContractInfo: [
    "chainId number",
    "address string",
    "name string",
    "type string",
    "symbol string",
    "logoURI string",
    "extensions ContractInfoExtensions",
  ],
  ContractInfoExtensions: [
    "link string",
    "description string",
    "ogImage string",
    "originAddress string",
  ],
  WebhookFilter: [
    "contractAddresses string[]",
    "events string[]",
    "tokenIDs? string[]",
    "accounts? string[]",
    "topicHashes? string[]",
  ],
  OfferFilter: [
    "createdBy? string[]",
    "marketplace? string[]",
    "currencies? string[]",
  ],
  CheckoutItem: ["tokenId string", "quantity string"],
  OrderRef: [
    "contractAddress string",
    "orderId string",
    "+marketplace? string",
  ],
  WebhookListener: [
    "id string",
    "+projectID number",
    "+url string",
    "+filters WebhookFilter",
    "+name string",
    "+updatedAt string",
    "+active boolean",
  ],
  EventData: [
    "topicHash string",
    "eventSig string",
    "types string[]",
    "names string[]",
    "values string[]",
  ],
  RawLog: ["data string", "topics string[]"],
};

/** A row of the table in section 7: name, code, text, and HTTP status. */
export type ErrorRow = readonly [string, number, string, number];

/** The ten errors in the table that are built into every contract. */
export const builtInErrorRows: readonly ErrorRow[] = [
  ["WebrpcEndpoint", 0, "endpoint error", 400],
  ["WebrpcRequestFailed", -1, "request failed", 400],
  ["WebrpcBadRoute", -2, "bad route", 404],
  ["WebrpcBadMethod", -3, "bad method", 405],
  ["WebrpcBadRequest", -4, "bad request", 400],
  ["WebrpcBadResponse", -5, "bad response", 500],
  ["WebrpcServerPanic", -6, "server panic", 500],
  ["WebrpcInternalError", -7, "internal error", 500],
  ["WebrpcClientDisconnected", -8, "client disconnected", 400],
  ["WebrpcStreamLost", -9, "stream lost", 400],
];

/**
 * The other nine errors, and AccessKeyNotFound, whose code the document does
 * not specify.
 */
export const declaredErrorRows: readonly ErrorRow[] = [
  ["Unauthorized", 1000, "Unauthorized access", 401],
  ["PermissionDenied", 1001, "Permission denied", 403],
  ["SessionExpired", 1002, "Session expired", 403],
  ["Aborted", 1005, "Request aborted", 400],
  ["Geoblocked", 1006, "Geoblocked region", 451],
  ["AccessKeyNotFound", 1101, "Access key not found", 401],
  ["InvalidArgument", 2000, "Invalid argument", 400],
  ["Unavailable", 2002, "Unavailable resource", 400],
  ["QueryFailed", 2003, "Query failed", 400],
  ["NotFound", 3000, "Resource not found", 400],
];

/** The token event signatures from section 6, by their names in the schema. */
export const tokenEvents = {
  ERC20_TRANSFER:
    "Transfer(address indexed from, address indexed to, uint256 value)",
  ERC20_APPROVAL:
    "Approval(address indexed owner, address indexed spender, uint256 value)",
  ERC721_TRANSFER:
    "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  ERC721_APPROVAL:
    "Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
  ERC721_APPROVAL_FOR_ALL:
    "ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  ERC1155_TRANSFER_SINGLE:
    "TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  ERC1155_TRANSFER_BATCH:
    "TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  ERC1155_APPROVAL_FOR_ALL:
    "ApprovalForAll(address indexed account, address indexed operator, bool approved)",
  ERC1155_URI: "URI(string value, uint256 indexed id)",
};

/** Values that callers can rely on. */
export const valueSets: readonly {
  readonly enum: string;
  /** The alias that allows other values, or null if the set is closed. */
  readonly open: string | null;
  readonly values: readonly string[];
}[] = [
  {
    enum: "KnownMarketplace",
    open: "MarketplaceKind",
    values:
      "unknown sequence_marketplace_v1 sequence_marketplace_v2 blur zerox opensea looks_rare x2y2 alienswap payment_processor mintify magic_eden".split(
        " ",
      ),
  },
  {
    enum: "KnownSwapProvider",
    open: "SwapProvider",
    values: ["unknown", "zerox", "lifi"],
  },
  {
    enum: "KnownPaymentProvider",
    open: "PaymentProvider",
    values: ["unknown", "sardine", "transak"],
  },
  {
    enum: "KnownContractType",
    open: "ContractType",
    values: ["UNKNOWN", "NATIVE", "ERC20", "ERC721", "ERC1155"],
  },
  {
    enum: "KnownNotificationType",
    open: "NotificationType",
    values: [
      ...["UNKNOWN", "BLOCK_ADDED", "BLOCK_REMOVED"],
      ...["LISTENER_SET_ASIDE", "LOGS_SKIPPED"],
    ],
  },
  {
    enum: "KnownLogDataType",
    open: "LogDataType",
    values: [
      "EVENT",
      "TOKEN_TRANSFER",
      "NATIVE_TOKEN_TRANSFER",
      "SEQUENCE_TXN",
    ],
  },
  {
    enum: "TokenEvent",
    open: "EventSignature",
    values: Object.values(tokenEvents),
  },
  {
    enum: "CryptoCoverage",
    open: null,
    values: ["none", "partially", "all"],
  },
  {
    enum: "OrderSide",
    open: null,
    values: ["unknown", "listing", "offer"],
  },
  {
    enum: "OrderStatus",
    open: null,
    values:
      "unknown active inactive expired cancelled filled decimals_missing".split(
        " ",
      ),
  },
  { enum: "SortOrder", open: null, values: ["DESC", "ASC"] },
  {
    enum: "RefreshStatus",
    open: null,
    values: ["QUEUED", "PAUSED", "FAILED", "COMPLETED"],
  },
];
