import { demoAccessKey, demoProjectId, demoSecret } from "./credentials.js";
import { serveExample, webhookPath } from "./serve.js";

const contract = "0x2222222222222222222222222222222222222222";

/** Describes where the example runs and how to call it. */
function describe(baseUrl: string): string {
  return `The platform is running with example handlers (stop it with Ctrl-C):
  explorer (open it in a browser)   ${baseUrl}/
  API, Metadata, Relayer, Indexer   ${baseUrl}
  Marketplace                       ${baseUrl}/<network>, e.g. /polygon
  webhook receiver                  ${baseUrl}${webhookPath}
  project                           ${demoProjectId}
  access key                        ${demoAccessKey}
  secret key                        ${demoSecret}

Try it:
  curl ${baseUrl}/tokens/polygon/${contract}/1,2

  curl ${baseUrl}/rpc/API/GetSwapPrice \\
    -H 'Content-Type: application/json' -H 'X-Access-Key: ${demoAccessKey}' \\
    -d '{"buyCurrencyAddress":"${contract}","sellCurrencyAddress":"${contract}","buyAmount":"1000","chainId":137}'

  curl ${baseUrl}/polygon/rpc/Marketplace/GetHighestPriceOfferForCollectible \\
    -H 'Content-Type: application/json' -H 'X-Access-Key: ${demoAccessKey}' \\
    -d '{"contractAddress":"${contract}","tokenId":"1"}'

  curl ${baseUrl}/rpc/Relayer/AddGasSponsor \\
    -H 'Content-Type: application/json' -H 'X-Access-Key: ${demoAccessKey}' \\
    -H 'Authorization: Bearer ${demoSecret}' \\
    -d '{"projectId":${demoProjectId},"address":"${contract}"}'

To see what an error looks like:
  curl ${baseUrl}/rpc/Builder/ListAudiences \\
    -H 'Content-Type: application/json' -H 'X-Access-Key: ${demoAccessKey}' \\
    -d '{"projectId":"abc"}'
`;
}

const print = (line: string): void => {
  console.log(line);
};

try {
  const port = Number(process.env["PORT"] ?? 4242);
  const example = await serveExample(port, print);
  print(describe(example.baseUrl));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void example.close());
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`cannot start: ${reason}; use PORT to choose another port`);
  process.exitCode = 1;
}
