/**
 * Creates the files of a project that uses the platform's client package.
 *
 * Input: the name of the package and the code blocks of its README.
 */
export function consumerFiles(
  name: string,
  blocks: readonly string[],
): Record<string, string> {
  return {
    "calls.mjs": calls(name),
    "browser.mjs": browser(name),
    "typed.ts": typed(name),
    ...readmeFiles(blocks),
  };
}

/**
 * Returns a module for each block. Blocks without imports follow the quick
 * start, which creates a client.
 */
export function readmeFiles(blocks: readonly string[]): Record<string, string> {
  const [quickStart = ""] = blocks;
  const entries = blocks.map((code, index) => {
    const isCall = !code.startsWith("import ");
    const text = isCall ? `${quickStart}\n\n${code}\n` : `${code}\n`;
    return [`readme-${index}.ts`, `${text}export {};\n`];
  });
  return Object.fromEntries(entries);
}

const calls = (name: string): string => `
import { createPlatformClient, AccessKeyNotFoundError, apiGetSwapPrice } from "${name}";
import { createIndexerWebhookReceiver } from "${name}/indexer/webhooks";
import { call } from "@ridlkit/runtime/client";
import { isRpcError } from "@ridlkit/runtime/errors";

const [, , baseUrl, accessKey, secret, notification] = process.argv;
const connect = (credentials, address = baseUrl) =>
  createPlatformClient({
    hosts: {
      api: address,
      indexer: address,
      marketplace: address,
      metadata: address,
      relayer: address,
    },
    parameters: { network: "polygon" },
    credentials,
  });

const currency = "0x" + "ab".repeat(20);
const swap = {
  buyCurrencyAddress: currency,
  sellCurrencyAddress: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
  buyAmount: "1000000",
  chainId: 137,
  slippagePercentage: 1,
};

const client = connect({ accessKey, secret });
const { swapPrice } = await client.api.getSwapPrice(swap);
const refused = await connect({ accessKey: "no" }).api.getSwapPrice.result(swap);
const lost = await connect({ accessKey }, "http://127.0.0.1:1").api.getSwapPrice.result(swap);
const single = await call({ baseUrl, credentials: { accessKey } }, apiGetSwapPrice, swap);

const uids = [];
const receiver = createIndexerWebhookReceiver({
  handlers: { indexerWebhook: { notify: (request) => void uids.push(request.uid) } },
});
const post = (body) =>
  receiver.fetch(
    new Request("http://me/webhook", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
const received = await post(JSON.parse(notification));
const invalid = await post({ uid: 1 });
console.log(
  JSON.stringify({
    price: swapPrice.price,
    refused: [
      isRpcError(refused.error, "AccessKeyNotFound"),
      refused.error instanceof AccessKeyNotFoundError,
    ],
    lost: lost.error?.reason,
    single: single.swapPrice.price,
    received: { status: received.status, uids: uids.length },
    invalid: invalid.status,
  }),
);
`;

const browser = (name: string): string => `
import { apiGetSwapPrice } from "${name}/api";
import { call } from "@ridlkit/runtime/client";

export const price = (options, request) =>
  call(options, apiGetSwapPrice, request);
`;

const typed = (name: string): string => `
import {
  createPlatformClient,
  type Order,
  type PlatformClient,
} from "${name}";
import { createMarketplaceClient } from "${name}/marketplace";
import { isRpcError } from "@ridlkit/runtime/errors";

declare const client: PlatformClient;

export async function orders(): Promise<readonly Order[]> {
  const result = await client.marketplace.getOrders.result({ input: [] });
  if (result.ok) return result.value.orders;
  if (isRpcError(result.error, "AccessKeyNotFound")) return [];
  throw result.error;
}

// @ts-expect-error an order is identified by more than its ID
void client.marketplace.getOrders({ input: [{ orderId: "1" }] });
// @ts-expect-error the network is part of the address
createMarketplaceClient({ baseUrl: "" });
export { createPlatformClient };
`;

/** The strictest compiler options that work with generated code. */
export const strictConsumer = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
};
