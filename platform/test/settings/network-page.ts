import { type Fact, networkFacts } from "../../settings/network-facts.js";
import type { NetworkSettings } from "../../settings/settings.js";

/** A contract of a network, as a row of the page. */
interface Row {
  readonly handle: string;
  readonly what: string;
  readonly fact: Fact;
}

/** All facts of the networks, in order. */
export function listFacts(
  networks: readonly Pick<NetworkSettings, "chainId" | "handle">[],
): readonly Row[] {
  return networks.flatMap(({ chainId, handle }) => {
    const facts = networkFacts.find((known) => known.chainId === chainId);
    const { currencies = [], dollars = [] } = facts ?? {};
    const named: readonly (readonly [string, Fact | undefined])[] = [
      ["wrapped native currency", facts?.wrappedNative],
      ...[...dollars, ...currencies].map(
        (token) =>
          [`${token.symbol}, ${token.decimals} decimals`, token] as const,
      ),
      ["Seaport 1.6", facts?.seaport],
      ["router of Uniswap V2's kind", facts?.uniswapV2Router],
      ["Uniswap V3 quoter", facts?.uniswapV3?.quoter],
      ["Uniswap V3 `SwapRouter02`", facts?.uniswapV3?.router],
    ];
    return named.flatMap(([what, fact]) =>
      fact === undefined ? [] : [{ handle, what, fact }],
    );
  });
}

/** The page `networks.md`. */
export function renderNetworkPage(
  networks: readonly NetworkSettings[],
): string {
  const summary = networks.map(({ chainId, handle, rpcUrls, swap }) => {
    const facts = networkFacts.find((known) => known.chainId === chainId);
    const uniswap = [swap?.router ? "V2" : [], swap?.v3 ? "V3" : []].flat();
    const dollars = facts?.dollars?.map(({ symbol }) => symbol) ?? [];
    const cells = [
      rpcUrls.length > 0 ? "yes" : "",
      facts?.wrappedNative ? "yes" : "",
      dollars.join(", "),
      facts?.seaport ? "yes" : "",
      uniswap.join(", "),
    ];
    return `| ${handle} | ${chainId} | ${cells.map((cell) => cell || "unknown").join(" | ")} |`;
  });
  const rows = listFacts(networks).map(
    ({ fact, handle, what }) =>
      `| ${handle} | ${what} | \`${fact.address}\` | ${fact.source} |`,
  );
  return `# Networks

What is known of each network's contracts. The data is in
[network-facts.ts](settings/network-facts.ts), and a test writes this page from it
(\`npm run golden:update platform/test/settings\`). Nothing is listed without a
source, an npm package that publishes the address. \`networks\` in
[config.yaml](config.yaml) can replace every fact and add those that are unknown.

- **RPC URL**: without one, the network's chain cannot be asked.
- **Seaport 1.6**: \`marketplace: {}\` in the settings of a network that has its
  address and a dollar has its orders followed. The first block is the one that
  has the contract's code: a node that keeps old states is asked for it, unless
  \`startBlock\` is set. No package publishes these block numbers. Without a
  \`marketplace\`, methods about orders answer \`Unavailable\`.
- **Swaps**: the cheaper one of Uniswap V2 and V3 counts. Without either, methods
  about swaps answer \`Unavailable\`.
- **Dollars**: prices of orders are compared by the first one.

The embedded chain (\`hardhat\`) has contracts of its own, which are set up when it
starts.

| Network | Chain id | RPC URL | Wrapped currency | Dollars | Seaport 1.6 | Swaps |
|---|---|---|---|---|---|---|
${summary.join("\n")}

## Addresses and their sources

| Network | Contract | Address | Source |
|---|---|---|---|
${rows.join("\n")}
`;
}
