import { type Fact, networkFacts } from "../../settings/network-facts.js";
import type { NetworkSettings } from "../../settings/read-network.js";

/** A row of the page: a contract on a network. */
interface Row {
  readonly handle: string;
  readonly what: string;
  readonly fact: Fact;
}

/** Lists the known contracts on each network, in order. */
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
      ["Uniswap V2 router, or a compatible one", facts?.uniswapV2Router],
      ["Uniswap V3 quoter", facts?.uniswapV3?.quoter],
      ["Uniswap V3 `SwapRouter02`", facts?.uniswapV3?.router],
    ];
    return named.flatMap(([what, fact]) =>
      fact === undefined ? [] : [{ handle, what, fact }],
    );
  });
}

/** Prints the `networks.md` page. */
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

This page lists the known contracts of each network. A test generates it from
\`settings/network-facts.yaml\` (\`npm run golden:update platform/test/settings\`).
Each address comes from an npm package that publishes it. You can override known
addresses and add unknown ones under \`networks\` in [config.yaml](config.yaml).

- **RPC URL**: if it is unknown, the platform cannot read the chain unless you
  configure one.
- **Seaport 1.6**: to follow a network's orders, set \`marketplace: {}\` in its
  settings. This requires a known Seaport address and at least one dollar
  token. Set \`startBlock\` unless most of your nodes are archive nodes, because others do not
  know in which block the contract was created. Without \`marketplace\`, order
  methods return \`Unavailable\`.
- **Swaps**: if both Uniswap V2 and V3 are known, the platform uses the cheaper
  one for each swap. If neither is known, swap methods return \`Unavailable\`.
- **Dollars**: order prices are compared in the first of these tokens.

The embedded chain (\`hardhat\`) has its own contracts, which are deployed when it
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
