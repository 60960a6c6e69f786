import { Button } from "./button.js";
import { Copyable } from "./copyable.js";
import { Dialog } from "./dialog.js";

/** Shows a new key until the user says that it is stored. */
export function ShownOnce({
  what,
  text,
  onClose,
}: {
  /** E.g. `secret key`. */
  readonly what: string;
  /** The key; null while there is none to show. */
  readonly text: string | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title={`Your new ${what}`}
      about={
        <p className="warning">
          This {what} is shown only once. Copy it now, and store it where you
          need it.
        </p>
      }
      isOpen={text !== null}
      isSticky
      onOpenChange={onClose}
    >
      <div className="secret">
        <Copyable text={text ?? ""} name={what} />
      </div>
      <div className="choices">
        <Button look="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}
