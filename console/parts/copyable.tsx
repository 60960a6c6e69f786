import { useState } from "react";
import { Button } from "./button.js";
import { useNotify } from "./notices.js";

/** An identifier with a button that copies it. */
export function Copyable({
  text,
  name,
  isShort = false,
}: {
  readonly text: string;
  /** Whether to leave out the middle of an address or a hash. */
  readonly isShort?: boolean;
  /** What the text is, e.g. `access key`. */
  readonly name: string;
}) {
  const notify = useNotify();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      notify("The browser does not allow copying. Select the text instead.");
    }
  };
  return (
    <span className="copyable">
      <code title={isShort ? text : undefined}>
        {isShort ? shortened(text) : text}
      </code>
      <Button look="quiet" aria-label={`Copy ${name}`} onClick={copy}>
        {isCopied ? "Copied" : "Copy"}
      </Button>
    </span>
  );
}

function shortened(hex: string): string {
  return hex.replace(/^(0x.{6}).*(.{6})$/u, "$1…$2");
}
