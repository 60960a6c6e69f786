import type {
  AddGasSponsorRequest,
  AddGasSponsorResponse,
  CheckoutOptionsSalesContractRequest,
  CheckoutOptionsSalesContractResponse,
  DeleteAudienceRequest,
  DeleteAudienceResponse,
  EnqueueTokensForRefreshRequest,
  EnqueueTokensForRefreshResponse,
  GetContractInfoBatchRequest,
  GetContractInfoBatchResponse,
  GetContractInfoRequest,
  GetContractInfoResponse,
  GetHighestPriceOfferForCollectibleRequest,
  GetHighestPriceOfferForCollectibleResponse,
  GetLinkedWalletsRequest,
  GetLinkedWalletsResponse,
  GetOrdersRequest,
  GetOrdersResponse,
  GetSwapPriceRequest,
  GetSwapPriceResponse,
  GetSwapPricesRequest,
  GetSwapPricesResponse,
  GetSwapQuoteRequest,
  GetSwapQuoteResponse,
  GetTokenMetadataBatchRequest,
  GetTokenMetadataBatchResponse,
  GetTokenMetadataRequest,
  GetTokenMetadataResponse,
  GetTokenRefreshStatusRequest,
  GetTokenRefreshStatusResponse,
  IsValidSignatureRequest,
  IsValidSignatureResponse,
  ListAudiencesRequest,
  ListAudiencesResponse,
  Order,
  ReadContractInfoRequest,
  ReadContractInfoResponse,
  ReadTokenMetadataRequest,
  ReadTokenMetadataResponse,
  RemoveAudienceContactsRequest,
  RemoveAudienceContactsResponse,
  RemoveWebhookListenerRequest,
  RemoveWebhookListenerResponse,
  AddWebhookListenerRequest,
  AddWebhookListenerResponse,
  WebhookAcknowledgement,
  WebhookNotification,
} from "../../generated/index.js";
import { tokenEvents } from "./interface-table.js";

/** A call to an operation: a request and its response. */
export interface Sample<Request, Response> {
  readonly request: Request;
  readonly response: Response;
}

/** The request and response types of every operation, by `Service.Method`. */
export interface Samples {
  "API.GetSwapPrice": Sample<GetSwapPriceRequest, GetSwapPriceResponse>;
  "API.GetSwapPrices": Sample<GetSwapPricesRequest, GetSwapPricesResponse>;
  "API.GetSwapQuote": Sample<GetSwapQuoteRequest, GetSwapQuoteResponse>;
  "API.IsValidSignature": Sample<
    IsValidSignatureRequest,
    IsValidSignatureResponse
  >;
  "API.GetLinkedWallets": Sample<
    GetLinkedWalletsRequest,
    GetLinkedWalletsResponse
  >;
  "Builder.ListAudiences": Sample<ListAudiencesRequest, ListAudiencesResponse>;
  "Builder.DeleteAudience": Sample<
    DeleteAudienceRequest,
    DeleteAudienceResponse
  >;
  "Builder.RemoveAudienceContacts": Sample<
    RemoveAudienceContactsRequest,
    RemoveAudienceContactsResponse
  >;
  "Relayer.AddGasSponsor": Sample<AddGasSponsorRequest, AddGasSponsorResponse>;
  "Marketplace.GetHighestPriceOfferForCollectible": Sample<
    GetHighestPriceOfferForCollectibleRequest,
    GetHighestPriceOfferForCollectibleResponse
  >;
  "Marketplace.CheckoutOptionsSalesContract": Sample<
    CheckoutOptionsSalesContractRequest,
    CheckoutOptionsSalesContractResponse
  >;
  "Marketplace.GetOrders": Sample<GetOrdersRequest, GetOrdersResponse>;
  "Metadata.GetTokenMetadata": Sample<
    GetTokenMetadataRequest,
    GetTokenMetadataResponse
  >;
  "Metadata.EnqueueTokensForRefresh": Sample<
    EnqueueTokensForRefreshRequest,
    EnqueueTokensForRefreshResponse
  >;
  "Metadata.GetTokenRefreshStatus": Sample<
    GetTokenRefreshStatusRequest,
    GetTokenRefreshStatusResponse
  >;
  "Metadata.GetTokenMetadataBatch": Sample<
    GetTokenMetadataBatchRequest,
    GetTokenMetadataBatchResponse
  >;
  "Metadata.GetContractInfo": Sample<
    GetContractInfoRequest,
    GetContractInfoResponse
  >;
  "Metadata.GetContractInfoBatch": Sample<
    GetContractInfoBatchRequest,
    GetContractInfoBatchResponse
  >;
  "Tokens.ReadContractInfo": Sample<
    ReadContractInfoRequest,
    ReadContractInfoResponse
  >;
  "Tokens.ReadTokenMetadata": Sample<
    ReadTokenMetadataRequest,
    ReadTokenMetadataResponse
  >;
  "Indexer.AddWebhookListener": Sample<
    AddWebhookListenerRequest,
    AddWebhookListenerResponse
  >;
  "Indexer.RemoveWebhookListener": Sample<
    RemoveWebhookListenerRequest,
    RemoveWebhookListenerResponse
  >;
  "IndexerWebhook.Notify": Sample<WebhookNotification, WebhookAcknowledgement>;
}

/** Addresses, hashes, and times in requests and responses. */
export const wallet = "0x1111111111111111111111111111111111111111";
export const contractAddress = "0x2222222222222222222222222222222222222222";
export const currency = "0x3333333333333333333333333333333333333333";
export const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
export const hash = `0x${"5a".repeat(32)}`;
export const time = "2026-01-31T12:00:00.000Z";
/** This value has more than 32 bits, because chain IDs can be large. */
export const largeChainId = 37714555429;

const swapPrice = {
  currencyAddress: currency,
  currencyBalance: "0",
  price: "1000000",
  maxPrice: "1030000",
  transactionValue: "0",
};

const audience = {
  id: 7,
  projectId: 42,
  name: "Testers",
  contactCount: 3,
  createdAt: time,
  updatedAt: time,
};

const order: Order = {
  id: 1,
  collectionId: 2,
  orderId: "order-1",
  chainId: 137,
  originName: "example.com",
  collectionContractAddress: contractAddress,
  createdBy: wallet,
  priceAmount: "1500000",
  priceAmountFormatted: "1.5",
  priceAmountNet: "1470000",
  priceAmountNetFormatted: "1.47",
  priceCurrencyAddress: currency,
  priceDecimals: 6,
  priceUSD: 1.5,
  priceUSDFormatted: "1.50",
  quantityInitial: "1",
  quantityInitialFormatted: "1",
  quantityRemaining: "1",
  quantityRemainingFormatted: "1",
  quantityAvailable: "1",
  quantityAvailableFormatted: "1",
  quantityDecimals: 0,
  feeBps: 200,
  feeBreakdown: [{ kind: "royalty", recipientAddress: wallet, bps: 200 }],
  validFrom: time,
  validUntil: "2027-01-31T12:00:00Z",
  blockNumber: 4269150,
  createdAt: time,
  updatedAt: time,
  tokenId: "7",
  marketplace: "a_new_marketplace",
  side: "offer",
  status: "active",
};

const tokenMetadata = {
  tokenId: "7",
  contractAddress,
  name: "Seven",
  description: "",
  image: "https://example.com/7.png",
  decimals: 0,
  properties: null,
  attributes: [{ trait_type: "color", value: "blue" }],
};

const contractInfo = {
  chainId: 137,
  address: contractAddress,
  name: "Example",
  type: "ERC721",
  symbol: "EX",
  logoURI: "",
  extensions: { link: "", description: "", ogImage: "", originAddress: "" },
};

const filters = {
  contractAddresses: [contractAddress],
  events: [tokenEvents.ERC721_TRANSFER, "Minted(address,uint256)"],
  tokenIDs: ["7", "9".repeat(78)],
};

/**
 * One sample for each operation. Except for bigints, the values are the same in
 * code as on the wire.
 */
export const samples: Readonly<Samples> = {
  "API.GetSwapPrice": {
    request: {
      buyCurrencyAddress: currency,
      sellCurrencyAddress: native,
      buyAmount: "1000000",
      chainId: largeChainId,
      slippagePercentage: 2.5,
    },
    response: { swapPrice },
  },
  "API.GetSwapPrices": {
    request: {
      userAddress: wallet,
      buyCurrencyAddress: currency,
      buyAmount: "1000000",
      chainId: 137,
    },
    response: { swapPrices: [swapPrice, swapPrice] },
  },
  "API.GetSwapQuote": {
    request: {
      userAddress: wallet,
      buyCurrencyAddress: currency,
      sellCurrencyAddress: native,
      buyAmount: "1000000",
      chainId: 137,
      includeApprove: true,
    },
    response: {
      swapQuote: {
        currencyAddress: currency,
        currencyBalance: "5",
        price: "1000000",
        maxPrice: "1030000",
        to: contractAddress,
        transactionData: "0xa9059cbb",
        transactionValue: "0",
        approveData: "",
      },
    },
  },
  "API.IsValidSignature": {
    request: {
      chainId: "polygon",
      walletAddress: wallet,
      digest: hash,
      signature: "0x1234",
    },
    response: { isValid: false },
  },
  "API.GetLinkedWallets": {
    request: {
      parentWalletAddress: wallet,
      parentWalletMessage: "line one\nline two",
      parentWalletSignature: "0x1234",
      signatureChainId: "137",
    },
    response: {
      linkedWallets: [
        { id: 1, walletAddress: wallet, linkedWalletAddress: contractAddress },
        {
          id: 2,
          walletAddress: wallet,
          linkedWalletAddress: currency,
          walletType: "EOA",
          createdAt: time,
        },
      ],
    },
  },
  "Builder.ListAudiences": {
    request: { projectId: 42 },
    response: { audiences: [audience, { ...audience, deletedAt: time }] },
  },
  "Builder.DeleteAudience": {
    request: { projectId: 42, audienceId: 7 },
    response: { ok: true },
  },
  "Builder.RemoveAudienceContacts": {
    request: { projectId: 42, audienceId: 7, contactIds: [1n, 2n ** 64n - 1n] },
    response: { ok: true },
  },
  "Relayer.AddGasSponsor": {
    request: { projectId: 42, address: wallet, name: "Ours", active: false },
    response: {
      status: true,
      gasSponsor: {
        id: 1,
        gasTankId: 2,
        projectId: 42,
        chainId: 137,
        address: wallet,
        name: "Ours",
        active: false,
        updatedAt: time,
        createdAt: time,
      },
    },
  },
  "Marketplace.GetHighestPriceOfferForCollectible": {
    request: {
      contractAddress,
      tokenId: "7",
      filter: { createdBy: [wallet], marketplace: ["opensea", "another"] },
    },
    response: { order },
  },
  "Marketplace.CheckoutOptionsSalesContract": {
    request: {
      wallet,
      contractAddress,
      collectionAddress: contractAddress,
      items: [{ tokenId: "7", quantity: "1" }],
    },
    response: {
      options: {
        swap: ["lifi"],
        nftCheckout: [],
        onRamp: ["transak", "another"],
        crypto: "partially",
      },
    },
  },
  "Marketplace.GetOrders": {
    request: {
      input: [{ contractAddress, orderId: "order-1", marketplace: "opensea" }],
      page: { page: 1, pageSize: 30, sort: [{ column: "id", order: "DESC" }] },
    },
    response: { orders: [order], page: { page: 1, pageSize: 30, more: false } },
  },
  "Metadata.GetTokenMetadata": {
    request: { chainID: "polygon", contractAddress, tokenIDs: ["7"] },
    response: { tokenMetadata: [tokenMetadata] },
  },
  "Metadata.EnqueueTokensForRefresh": {
    request: {
      chainID: "137",
      contractAddress,
      tokenIDs: [],
      refreshAll: true,
    },
    response: { taskId: Number.MAX_SAFE_INTEGER },
  },
  "Metadata.GetTokenRefreshStatus": {
    request: { taskId: Number.MAX_SAFE_INTEGER },
    response: { status: "QUEUED" },
  },
  "Metadata.GetTokenMetadataBatch": {
    request: {
      chainID: "polygon",
      contractTokenMap: { [contractAddress]: ["7"] },
    },
    response: { contractTokenMetadata: { [contractAddress]: [tokenMetadata] } },
  },
  "Metadata.GetContractInfo": {
    request: { chainID: "polygon", contractAddress },
    response: { contractInfo },
  },
  "Metadata.GetContractInfoBatch": {
    request: { chainID: "polygon", contractAddresses: [contractAddress] },
    response: { contractInfoMap: { [contractAddress]: contractInfo } },
  },
  "Tokens.ReadContractInfo": {
    request: { network: "polygon", contractAddress },
    response: { contractInfo },
  },
  "Tokens.ReadTokenMetadata": {
    request: { network: "137", contractAddress, tokenIDs: ["7", "8"] },
    response: {
      tokenMetadata: [tokenMetadata, { ...tokenMetadata, tokenId: "8" }],
    },
  },
  "Indexer.AddWebhookListener": {
    request: { url: "https://example.com/hook", filters },
    response: {
      status: true,
      listener: {
        id: "1",
        projectID: 42,
        url: "https://example.com/hook",
        filters,
        name: "",
        updatedAt: time,
        active: true,
      },
    },
  },
  "Indexer.RemoveWebhookListener": {
    request: { id: "1", projectId: "42" },
    response: { status: true },
  },
  "IndexerWebhook.Notify": {
    request: {
      uid: hash,
      type: "BLOCK_ADDED",
      blockNumber: 4269150,
      blockHash: hash,
      parentBlockHash: hash,
      contractAddress,
      contractType: "ERC721",
      txnHash: hash,
      txnIndex: 67,
      txnLogIndex: "121",
      ts: "2026-01-31T12:00:00.123456789Z",
      event: {
        topicHash: hash,
        eventSig: "Transfer(address,address,uint256)",
        types: ["address", "address", "uint256"],
        names: ["arg1", "arg2", "arg3"],
        values: [wallet, contractAddress, "0x07"],
      },
      logDataType: "TOKEN_TRANSFER",
      rawLog: { data: "0x", topics: [hash, hash] },
    },
    response: {},
  },
};

/** The name of an operation, such as `API.GetSwapPrice`. */
export type Operation = keyof Samples;

/** All operations, in the order of the samples. */
export const operations: readonly Operation[] =
  Object.keys(samples).filter(isOperation);

function isOperation(name: string): name is Operation {
  return Object.hasOwn(samples, name);
}
