import { amountText, useNetwork } from "../api/networks.js";

/** An amount of a chain's native currency. The title has the smallest units. */
export function Amount({
  value,
  chainId,
}: {
  /** Decimal digits, in the smallest unit. */
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

/** A chain, shown by its handle or, if it is unknown, by its ID. */
export function Chain({ id }: { readonly id: number }) {
  const network = useNetwork(id);
  return <span title={`Chain ID ${id}`}>{network?.handle ?? id}</span>;
}
