import { createIndexerWebhookSender } from "../../generated/indexer/client.js";
import { createPlatformClient } from "../../generated/index.js";
import type { ClientInterceptor } from "../../runtime/typescript/client/client.js";
import { accessKey, secret, type Harness } from "./harness.js";
import { samples, type Operation, type Samples } from "./samples.js";

/** For each operation, a function that calls it through a generated client. */
export type Callers = {
  readonly [Name in Operation]: (
    request: Samples[Name]["request"],
  ) => Promise<unknown>;
};

/** Connects the generated platform client and webhook sender to the harness. */
export function createCallers(
  harness: Harness,
  use: readonly ClientInterceptor[] = [],
): Callers {
  const { baseUrl, webhookUrl } = harness;
  const platform = createPlatformClient({
    hosts: {
      api: baseUrl,
      metadata: `${baseUrl}/`,
      relayer: baseUrl,
      marketplace: baseUrl,
      indexer: baseUrl,
    },
    parameters: { network: "polygon" },
    use,
    credentials: { accessKey, secret: () => Promise.resolve(secret) },
  });
  const { api, builder, relayer, marketplace, metadata, tokens, indexer } =
    platform;
  const sender = createIndexerWebhookSender({});
  return {
    "API.GetSwapPrice": (request) => api.getSwapPrice(request),
    "API.GetSwapPrices": (request) => api.getSwapPrices(request),
    "API.GetSwapQuote": (request) => api.getSwapQuote(request),
    "API.IsValidSignature": (request) => api.isValidSignature(request),
    "API.GetLinkedWallets": (request) => api.getLinkedWallets(request),
    "Builder.ListAudiences": (request) => builder.listAudiences(request),
    "Builder.DeleteAudience": (request) => builder.deleteAudience(request),
    "Builder.RemoveAudienceContacts": (request) =>
      builder.removeAudienceContacts(request),
    "Relayer.AddGasSponsor": (request) => relayer.addGasSponsor(request),
    "Marketplace.GetHighestPriceOfferForCollectible": (request) =>
      marketplace.getHighestPriceOfferForCollectible(request),
    "Marketplace.CheckoutOptionsSalesContract": (request) =>
      marketplace.checkoutOptionsSalesContract(request),
    "Marketplace.GetOrders": (request) => marketplace.getOrders(request),
    "Metadata.GetTokenMetadata": (request) =>
      metadata.getTokenMetadata(request),
    "Metadata.EnqueueTokensForRefresh": (request) =>
      metadata.enqueueTokensForRefresh(request),
    "Metadata.GetTokenRefreshStatus": (request) =>
      metadata.getTokenRefreshStatus(request),
    "Metadata.GetTokenMetadataBatch": (request) =>
      metadata.getTokenMetadataBatch(request),
    "Metadata.GetContractInfo": (request) => metadata.getContractInfo(request),
    "Metadata.GetContractInfoBatch": (request) =>
      metadata.getContractInfoBatch(request),
    "Tokens.ReadContractInfo": (request) => tokens.readContractInfo(request),
    "Tokens.ReadTokenMetadata": (request) => tokens.readTokenMetadata(request),
    "Indexer.AddWebhookListener": (request) =>
      indexer.addWebhookListener(request),
    "Indexer.RemoveWebhookListener": (request) =>
      indexer.removeWebhookListener(request),
    "IndexerWebhook.Notify": (request) => sender.notify(webhookUrl, request),
  };
}

/** Calls an operation with its sample. */
export function callSample<Name extends Operation>(
  callers: Callers,
  operation: Name,
): Promise<unknown> {
  return callers[operation](samples[operation].request);
}
