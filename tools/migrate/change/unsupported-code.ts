import type { ts } from "ts-morph";

/** Thrown for code that a person has to change. */
export class UnsupportedCode extends Error {
  override readonly name: string = "UnsupportedCode";
  readonly node: ts.Node;
  /** Advice, or null if the message is enough. */
  readonly help: string | null;

  constructor(node: ts.Node, message: string, help: string | null = null) {
    super(message);
    this.node = node;
    this.help = help;
  }
}

/** Thrown for code of clients that are never migrated. */
export class OtherClient extends UnsupportedCode {
  override readonly name = "OtherClient";
}
