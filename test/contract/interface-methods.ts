import type { FieldRow } from "./interface-table.js";

/**
 * An operation from section 4 of the interface document, or the notification
 * from section 6.
 */
export interface MethodRow {
  readonly host: string;
  readonly service: string;
  readonly method: string;
  /**
   * The HTTP method and the path below the base address, or null for the
   * notification.
   */
  readonly route: `${"GET" | "POST"} ${string}` | null;
  /** The headers from section 5, in the order in which they are checked. */
  readonly credentials: readonly string[];
  readonly request: readonly FieldRow[];
  readonly response: readonly FieldRow[];
  /** Whether a call is safe to repeat, according to its documented behavior. */
  readonly safety: "none" | "idempotent" | "readonly";
  /**
   * The errors that section 7 names, and those that every operation can cause,
   * or null if the document does not specify any.
   */
  readonly errors: readonly string[] | null;
}

const accessKey = ["X-Access-Key"];
const bothKeys = ["X-Access-Key", "Authorization"];

/** Returns a row with the properties that most operations share. */
function rpc(
  host: string,
  service: string,
  method: string,
  request: readonly FieldRow[],
  response: readonly FieldRow[],
  more: Partial<MethodRow> = {},
): MethodRow {
  const network = host === "marketplace" ? "/{network}" : "";
  return {
    host,
    service,
    method,
    route: `POST ${network}/rpc/${service}/${method}`,
    credentials: accessKey,
    request,
    response,
    safety: "readonly",
    errors: null,
    ...more,
  };
}

/** The operations from section 4 and the notification from section 6. */
export const methods: readonly MethodRow[] = [
  rpc(
    "api",
    "API",
    "GetSwapPrice",
    [
      "buyCurrencyAddress string",
      "sellCurrencyAddress string",
      "buyAmount string",
      "chainId number",
      "slippagePercentage? number",
    ],
    ["swapPrice SwapPrice"],
  ),
  rpc(
    "api",
    "API",
    "GetSwapPrices",
    [
      "+userAddress string",
      "+buyCurrencyAddress string",
      "+buyAmount string",
      "+chainId number",
      "+slippagePercentage? number",
    ],
    ["+swapPrices SwapPrice[]"],
  ),
  rpc(
    "api",
    "API",
    "GetSwapQuote",
    [
      "userAddress string",
      "buyCurrencyAddress string",
      "sellCurrencyAddress string",
      "buyAmount string",
      "chainId number",
      "includeApprove boolean",
      "slippagePercentage? number",
    ],
    ["swapQuote SwapQuote"],
  ),
  rpc(
    "api",
    "API",
    "IsValidSignature",
    [
      "chainId string",
      "walletAddress string",
      "digest string",
      "signature string",
    ],
    ["isValid boolean"],
  ),
  rpc(
    "api",
    "API",
    "GetLinkedWallets",
    [
      "parentWalletAddress string",
      "parentWalletMessage string",
      "parentWalletSignature string",
      "signatureChainId string",
    ],
    ["linkedWallets LinkedWallet[]"],
  ),
  rpc(
    "api",
    "Builder",
    "ListAudiences",
    ["projectId number"],
    ["audiences Audience[]"],
  ),
  rpc(
    "api",
    "Builder",
    "DeleteAudience",
    ["projectId number", "audienceId number"],
    ["ok boolean"],
    { safety: "idempotent" },
  ),
  rpc(
    "api",
    "Builder",
    "RemoveAudienceContacts",
    ["projectId number", "audienceId number", "contactIds number[]"],
    ["ok boolean"],
    { safety: "idempotent" },
  ),
  rpc(
    "relayer",
    "Relayer",
    "AddGasSponsor",
    ["projectId number", "address string", "name? string", "active? boolean"],
    ["status boolean", "gasSponsor GasSponsor"],
    {
      safety: "idempotent",
      credentials: bothKeys,
      errors: [
        "AccessKeyNotFound",
        "PermissionDenied",
        "SessionExpired",
        "InvalidArgument",
        "Unavailable",
      ],
    },
  ),
  rpc(
    "marketplace",
    "Marketplace",
    "GetHighestPriceOfferForCollectible",
    ["contractAddress string", "tokenId string", "filter? OfferFilter"],
    ["order Order|null"],
  ),
  rpc(
    "marketplace",
    "Marketplace",
    "CheckoutOptionsSalesContract",
    [
      "wallet string",
      "contractAddress string",
      "collectionAddress string",
      "items CheckoutItem[]",
    ],
    ["options CheckoutOptions"],
  ),
  rpc(
    "marketplace",
    "Marketplace",
    "GetOrders",
    ["input OrderRef[]", "+page? Page"],
    ["orders Order[]", "page Page"],
  ),
  rpc(
    "metadata",
    "Metadata",
    "GetTokenMetadata",
    ["chainID string", "contractAddress string", "tokenIDs string[]"],
    ["+tokenMetadata TokenMetadata[]"],
  ),
  rpc(
    "metadata",
    "Metadata",
    "EnqueueTokensForRefresh",
    [
      "chainID string",
      "contractAddress string",
      "tokenIDs string[]",
      "+refreshAll? boolean",
    ],
    ["+taskId number"],
    { safety: "none" },
  ),
  rpc(
    "metadata",
    "Metadata",
    "GetTokenRefreshStatus",
    ["taskId number"],
    ["+status string"],
  ),
  rpc(
    "metadata",
    "Metadata",
    "GetTokenMetadataBatch",
    ["+chainID string", "+contractTokenMap map<string[]>"],
    ["+contractTokenMetadata map<TokenMetadata[]>"],
  ),
  rpc(
    "metadata",
    "Metadata",
    "GetContractInfo",
    ["+chainID string", "+contractAddress string"],
    ["+contractInfo ContractInfo"],
  ),
  rpc(
    "metadata",
    "Metadata",
    "GetContractInfoBatch",
    ["+chainID string", "+contractAddresses string[]"],
    ["+contractInfoMap map<ContractInfo>"],
  ),
  rpc(
    "metadata",
    "Tokens",
    "ReadContractInfo",
    ["network string", "contractAddress string"],
    ["contractInfo ContractInfo"],
    { route: "GET /tokens/{network}/{contractAddress}", credentials: [] },
  ),
  rpc(
    "metadata",
    "Tokens",
    "ReadTokenMetadata",
    ["network string", "contractAddress string", "tokenIDs string[]"],
    ["tokenMetadata TokenMetadata[]"],
    {
      route: "GET /tokens/{network}/{contractAddress}/{tokenIDs}",
      credentials: [],
    },
  ),
  rpc(
    "indexer",
    "Indexer",
    "AddWebhookListener",
    ["url string", "filters WebhookFilter"],
    ["+status boolean", "listener WebhookListener"],
    { credentials: bothKeys, safety: "none" },
  ),
  rpc(
    "indexer",
    "Indexer",
    "RemoveWebhookListener",
    ["id string", "projectId string"],
    ["+status boolean"],
    { credentials: bothKeys, safety: "idempotent" },
  ),
  rpc(
    "indexer",
    "IndexerWebhook",
    "Notify",
    [
      "uid string",
      "type string",
      "reason? string",
      "blockNumber number",
      "blockHash string",
      "parentBlockHash string",
      "contractAddress string",
      "contractType string",
      "txnHash string",
      "txnIndex number",
      "txnLogIndex string",
      "ts string",
      "event EventData",
      "logDataType string",
      "rawLog RawLog",
    ],
    [],
    { route: null, credentials: [], safety: "idempotent" },
  ),
];
