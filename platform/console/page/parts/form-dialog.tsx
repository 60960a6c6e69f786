import { useState, type ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { ActionForm, type ActionFormProps } from "./action-form.js";
import { Button, type ButtonProps } from "./button.js";
import { Dialog } from "./dialog.js";
import { useNotify } from "./notices.js";
import { Permitted } from "./permitted.js";

/** Properties of a dialog with a form. */
export interface FormDialogProps<
  Fields extends FieldValues,
  Request,
  Response,
> extends Omit<ActionFormProps<Fields, Request, Response>, "label" | "onDone"> {
  /** The label of the button that opens the dialog. */
  readonly opener: string;
  /** The label of the button that sends the form, by default the opener's. */
  readonly label?: string;
  /** The object of the action, for screen readers. */
  readonly name?: string;
  readonly look?: ButtonProps["look"];
  /** The title of the dialog, by default the opener's label. */
  readonly title?: string;
  readonly about?: ReactNode;
  /** The notice to show on success. */
  readonly done: string;
  readonly onDone?: (response: Response, request: Request) => void;
}

/** A button that opens a dialog with a form that calls a method. */
export function FormDialog<Fields extends FieldValues, Request, Response>({
  opener,
  name,
  label = opener,
  look = "plain",
  title = opener,
  about,
  done,
  onDone,
  ...form
}: FormDialogProps<Fields, Request, Response>) {
  const [isOpen, setOpen] = useState(false);
  const notify = useNotify();
  return (
    <Permitted action={form.action}>
      <Dialog
        title={title}
        about={about}
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button
            look={look}
            {...(name !== undefined && { "aria-label": `${opener} ${name}` })}
          >
            {opener}
          </Button>
        }
      >
        <ActionForm
          {...form}
          label={label}
          onDone={(response, request) => {
            setOpen(false);
            notify(done);
            onDone?.(response, request);
          }}
        />
      </Dialog>
    </Permitted>
  );
}
