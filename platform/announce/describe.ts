import type {
  RunningDemo,
  RunningPlatform,
} from "../parts/running-platform.js";
import type { Settings } from "../settings/read-settings.js";

const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/** Describes three read-only calls that users can copy. */
function describeCalls(running: RunningPlatform, demo: RunningDemo): string {
  const { baseUrl, ownChain, platform } = running;
  const { defaultNetwork } = platform.settings;
  const contract = ownChain?.fixtures.gold ?? wallet;
  return `Call it with curl:
  curl ${baseUrl}/rpc/Builder/ListAudiences \\
    -H 'Content-Type: application/json' -H 'X-Access-Key: ${demo.accessKey}' \\
    -d '{"projectId":${demo.id}}'

Call it with the generated client, in this folder (node --input-type=module):
  import { createAPIClient } from "./dist/generated/api/client.js";
  const api = createAPIClient({
    baseUrl: "${baseUrl}",
    credentials: { accessKey: "${demo.accessKey}" },
  });
  console.log(await api.isValidSignature({
    chainId: "${defaultNetwork}",
    walletAddress: "${wallet}",
    digest: "0x${"00".repeat(32)}",
    signature: "0x${"00".repeat(65)}",
  }));

Call it from a page (open ${baseUrl}/ in a browser, and paste into its console):
  await (await fetch("/rpc/Metadata/GetContractInfo", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Access-Key": "${demo.accessKey}",
    },
    body: JSON.stringify({
      chainID: "${defaultNetwork}",
      contractAddress: "${contract}",
    }),
  })).json()
`;
}

/** Describes a platform that is ready: its addresses and how to call it. */
export function describe(running: RunningPlatform): string {
  const { adminUrl, baseUrl, demo, metricsUrl, platform } = running;
  const { defaultNetwork } = platform.settings;
  return `The platform is ready (stop with Ctrl-C).
  explorer                ${baseUrl}/ (in a browser; accepts keys)
  API, Builder            ${baseUrl}
  Marketplace             ${baseUrl}/<network>
  Metadata                ${baseUrl}, ${baseUrl}/tokens/<network>/<contract>
  Indexer                 ${baseUrl} (${defaultNetwork}), ${baseUrl}/<network>
  Relayer                 ${baseUrl} (${defaultNetwork}), ${baseUrl}/<network>
  health                  ${baseUrl}/healthz, /readyz
  metrics                 ${metricsUrl}
  console                 ${adminUrl}/ (in a browser; sign in as owner)
  owner's password        ${describeToken(platform.settings)}
${demo === null ? withoutDemo : describeDemo(running, demo)}`;
}

/** Describes where to find the owner's password, without printing it. */
function describeToken({ dataFolder, operatorToken }: Settings): string {
  return operatorToken === null
    ? `in ${dataFolder}/operator-token`
    : "the one in the settings";
}

const withoutDemo = `
Create a project and its keys in the console, or with:
  npm run --silent platform -- --help
`;

function describeDemo(running: RunningPlatform, demo: RunningDemo): string {
  return `  project                 ${demo.id}
  access key              ${demo.accessKey}
  secret                  ${demo.secret}
  webhooks are signed with ${demo.webhookSecret}

${describeCalls(running, demo)}`;
}
