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
  /** The kind of identifier, e.g. `access key`. */
  readonly name: string;
}) {
  const notify = useNotify();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      notify(`Copied the ${name}.`);
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
        Copy
      </Button>
    </span>
  );
}

/** Leaves out the middle of an address or a hash. */
export function shortened(text: string): string {
  return text.replace(/(0x.{6}).*(.{6})$/u, "$1…$2");
}
