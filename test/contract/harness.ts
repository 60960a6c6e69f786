import type { IncomingMessage } from "node:http";

import { idempotency, memoryAnswers } from "@ridlkit/runtime/idempotency";
import { toNodeHandler } from "@ridlkit/runtime/node";
import {
  composeServers,
  type RequestContext,
  type RpcServer,
} from "@ridlkit/runtime/server";

import { createApiServer } from "../../generated/api/server.js";
import {
  createIndexerServer,
  createIndexerWebhookReceiver,
} from "../../generated/indexer/server.js";
import { createMarketplaceServer } from "../../generated/marketplace/server.js";
import { createMetadataServer } from "../../generated/metadata/server.js";
import { createRelayerServer } from "../../generated/relayer/server.js";
import { SessionExpiredError } from "../../generated/index.js";
import { startServer } from "../interop/http.js";
import { samples, type Operation, type Samples } from "./samples.js";

/** The keys that the harness's servers accept. */
export const accessKey = "test-access-key";
export const secret = "test-secret";
/** An expired secret. */
export const expiredSecret = "expired-secret";

/** A request as it was received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The headers as they were sent, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One call to a handler. */
export interface HandlerCall {
  readonly operation: Operation;
  readonly request: unknown;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The generated servers of all hosts behind one `node:http` server. */
export interface Harness {
  readonly baseUrl: string;
  /** The URL of the notification receiver. */
  readonly webhookUrl: string;
  /** All requests since the last `reset`. */
  readonly seen: SeenRequest[];
  readonly calls: HandlerCall[];
  /** The errors that the servers passed to `onError`. */
  readonly failures: unknown[];
  /** Makes handlers return responses other than the samples. */
  answerWith(answer: () => unknown): void;
  /** Restores the samples and clears the records. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts all servers on a free local port. */
export async function startHarness(): Promise<Harness> {
  const seen: SeenRequest[] = [];
  const calls: HandlerCall[] = [];
  const failures: unknown[] = [];
  let instead: (() => unknown) | null = null;

  /** Creates a handler that records its call and returns the sample. */
  const answer =
    <Name extends Operation>(operation: Name) =>
    (
      request: Samples[Name]["request"],
      { parameters }: RequestContext,
    ): Samples[Name]["response"] => {
      calls.push({ operation, request, parameters });
      // The replacement can have any type.
      if (instead) return instead() as Samples[Name]["response"];
      return samples[operation].response;
    };

  const platform = createPlatform(answer, (error) => failures.push(error));
  const receiver = createIndexerWebhookReceiver({
    handlers: { indexerWebhook: { notify: answer("IndexerWebhook.Notify") } },
    onError: (error) => failures.push(error),
  });

  const answerCall = toNodeHandler(platform);
  const answerWebhook = toNodeHandler(receiver);
  const { baseUrl, close } = await startServer((request, response) => {
    record(request, seen);
    if (request.url === "/hook") answerWebhook(request, response);
    else answerCall(request, response);
  });

  return {
    baseUrl,
    webhookUrl: `${baseUrl}/hook`,
    seen,
    calls,
    failures,
    answerWith: (answer) => {
      instead = answer;
    },
    reset: () => {
      instead = null;
      for (const list of [seen, calls, failures]) list.length = 0;
    },
    close,
  };
}

/** Creates the servers of all hosts, with typed handlers for every service. */
function createPlatform(
  answer: <Name extends Operation>(
    operation: Name,
  ) => (
    request: Samples[Name]["request"],
    context: RequestContext,
  ) => Samples[Name]["response"],
  onError: (error: unknown) => void,
): RpcServer {
  const keys = {
    onError,
    verifyAccessKey: (value: string) => value === accessKey,
  };
  const verifySecret = (value: string): boolean => {
    if (value === expiredSecret) throw new SessionExpiredError();
    return value === secret;
  };
  return composeServers(
    createApiServer({
      ...keys,
      handlers: {
        api: {
          getSwapPrice: answer("API.GetSwapPrice"),
          getSwapPrices: answer("API.GetSwapPrices"),
          getSwapQuote: answer("API.GetSwapQuote"),
          isValidSignature: answer("API.IsValidSignature"),
          getLinkedWallets: answer("API.GetLinkedWallets"),
        },
        builder: {
          listAudiences: answer("Builder.ListAudiences"),
          deleteAudience: answer("Builder.DeleteAudience"),
          removeAudienceContacts: answer("Builder.RemoveAudienceContacts"),
        },
      },
    }),
    createMetadataServer({
      ...keys,
      handlers: {
        metadata: {
          getTokenMetadata: answer("Metadata.GetTokenMetadata"),
          enqueueTokensForRefresh: answer("Metadata.EnqueueTokensForRefresh"),
          getTokenRefreshStatus: answer("Metadata.GetTokenRefreshStatus"),
          getTokenMetadataBatch: answer("Metadata.GetTokenMetadataBatch"),
          getContractInfo: answer("Metadata.GetContractInfo"),
          getContractInfoBatch: answer("Metadata.GetContractInfoBatch"),
        },
        tokens: {
          readContractInfo: answer("Tokens.ReadContractInfo"),
          readTokenMetadata: answer("Tokens.ReadTokenMetadata"),
        },
      },
    }),
    createRelayerServer({
      ...keys,
      verifySecret,
      caller: () => "tests",
      idempotency: idempotency(memoryAnswers()),
      handlers: {
        relayer: { addGasSponsor: answer("Relayer.AddGasSponsor") },
      },
    }),
    createMarketplaceServer({
      ...keys,
      acceptParameters: ({ network }) => network === "polygon",
      handlers: {
        marketplace: {
          getHighestPriceOfferForCollectible: answer(
            "Marketplace.GetHighestPriceOfferForCollectible",
          ),
          checkoutOptionsSalesContract: answer(
            "Marketplace.CheckoutOptionsSalesContract",
          ),
          getOrders: answer("Marketplace.GetOrders"),
        },
      },
    }),
    createIndexerServer({
      ...keys,
      verifySecret,
      handlers: {
        indexer: {
          addWebhookListener: answer("Indexer.AddWebhookListener"),
          removeWebhookListener: answer("Indexer.RemoveWebhookListener"),
        },
      },
    }),
  );
}

/** Records a request. Its body is complete before the server responds. */
function record(request: IncomingMessage, seen: SeenRequest[]): void {
  const entry = {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        String(value),
      ]),
    ),
    body: "",
  };
  seen.push(entry);
  // Intercepting `emit` shows every chunk without starting the stream.
  const emit = request.emit.bind(request);
  request.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event === "data") entry.body += String(values[0]);
    return emit(event, ...values);
  };
}
