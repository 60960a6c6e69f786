import { amountText, useNetwork } from "../api/networks.js";

/** An amount of a chain's native currency, with the smallest units as a title. */
export function Amount({
  value,
  chainId,
}: {
  /** Decimal digits in the smallest unit. */
  readonly value: string;
  readonly chainId: number;
}) {
  const network = useNetwork(chainId);
  return (
    <data
      className="amount"
      value={value}
      title={`${value} of the smallest unit`}
    >
      {amountText(BigInt(value), network)}
    </data>
  );
}

/** A chain, by the name that addresses have for it. */
export function Chain({ id }: { readonly id: number }) {
  const network = useNetwork(id);
  return <span title={`Chain id ${id}`}>{network?.handle ?? id}</span>;
}
