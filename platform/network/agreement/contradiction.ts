/** Something that a node reports and that cannot be true. */
export interface Contradiction {
  /** The position of the node among the network's RPC URLs, from 0. */
  readonly node: number;
  /** Continues a sentence whose subject is the node. */
  readonly what: string;
}
