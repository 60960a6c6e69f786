import { useState, type ReactNode } from "react";
import type { FieldPath, FieldValues } from "react-hook-form";
import {
  createAccessKeyRequestSchema,
  createSecretKeyRequestSchema,
} from "../../generated/schemas.js";
import { keys } from "../api/console-api.js";
import { ActionForm, type ActionFormProps } from "../parts/action-form.js";
import { Button } from "../parts/button.js";
import { Copyable } from "../parts/copyable.js";
import { Dialog } from "../parts/dialog.js";
import type { ProjectProps } from "../parts/page.js";
import { Permitted } from "../parts/permitted.js";
import { TextField } from "../parts/text-field.js";
import { useUnsaved } from "../parts/unsaved.js";

const nameField = {
  name: "name",
  label: "Name",
  hint: "Optional. Helps you tell keys apart.",
} as const;

/** A dialog that creates an access key and shows it once. */
export function NewAccessKey({ projectId }: ProjectProps) {
  return (
    <NewKey
      what="access key"
      schema={createAccessKeyRequestSchema}
      defaultValues={{ projectId, name: "" }}
      action={keys.createAccessKey.mutationOptions()}
    >
      {(form) => <TextField form={form} {...nameField} />}
    </NewKey>
  );
}

/** A dialog that creates a secret key and shows it once. */
export function NewSecretKey({ projectId }: ProjectProps) {
  return (
    <NewKey
      what="secret key"
      schema={createSecretKeyRequestSchema}
      defaultValues={{
        projectId,
        name: "",
        scopes: ["read", "write"],
        days: 365,
      }}
      action={keys.createSecretKey.mutationOptions()}
    >
      {(form) => (
        <>
          <TextField form={form} {...nameField} />
          <fieldset>
            <legend>Scopes</legend>
            <label className="check">
              <input
                type="checkbox"
                value="read"
                {...form.register("scopes")}
              />
              Read the project
            </label>
            <label className="check">
              <input
                type="checkbox"
                value="write"
                {...form.register("scopes")}
              />
              Change the project. All methods that take a secret key require
              this.
            </label>
            <p className="field-error" role="alert">
              {form.formState.errors.scopes?.message}
            </p>
          </fieldset>
          <TextField
            form={form}
            name="days"
            label="Valid for"
            hint="In days."
            type="number"
            read={Number}
          />
        </>
      )}
    </NewKey>
  );
}

/** A dialog that replaces a key and shows the new one once. */
export function RollKey<
  Request extends { readonly overlapHours: number } & FieldValues,
>({
  name,
  ...form
}: Pick<
  ActionFormProps<Request, Request, { readonly key: string }>,
  "action" | "defaultValues" | "schema"
> & {
  readonly what: string;
  /** The name of the key. */
  readonly name: string;
  readonly overlap: FieldPath<Request>;
}) {
  const { overlap } = form;
  return (
    <NewKey
      {...form}
      verb="Replace"
      trigger={
        <Button look="quiet" aria-label={`Roll ${name}`}>
          Roll
        </Button>
      }
    >
      {(fields) => (
        <TextField
          form={fields}
          name={overlap}
          label="The old key is valid for"
          hint="In hours. With 0, it ends at once."
          type="number"
          read={Number}
        />
      )}
    </NewKey>
  );
}

function NewKey<Fields extends FieldValues, Request>({
  what,
  verb = "Create",
  trigger = <Button>New {what}</Button>,
  ...form
}: Omit<
  ActionFormProps<Fields, Request, { readonly key: string }>,
  "label" | "onDone"
> & {
  /** The kind of key, e.g. `secret key`. */
  readonly what: string;
  readonly verb?: string;
  readonly trigger?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<string | null>(null);
  useUnsaved(created !== null);
  const change = (next: boolean): void => {
    setOpen(next);
    setCreated(null);
  };
  // Both steps share one dialog, so that focus returns to the dialog's button
  // at the end.
  const question = verb === "Create" ? `New ${what}` : `${verb} this ${what}`;
  return (
    <Permitted action={form.action}>
      <Dialog
        title={created === null ? question : `Your new ${what}`}
        about={created !== null && <ShownOnceWarning what={what} />}
        isOpen={isOpen}
        isSticky={created !== null}
        onOpenChange={change}
        trigger={trigger}
      >
        {created === null ? (
          <ActionForm
            label={`${verb} ${what}`}
            onDone={({ key }) => setCreated(key)}
            {...form}
          />
        ) : (
          <>
            <div className="secret">
              <Copyable text={created} name={what} />
            </div>
            <div className="choices">
              <Button look="primary" onClick={() => change(false)}>
                I have stored it
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </Permitted>
  );
}

function ShownOnceWarning({ what }: { readonly what: string }) {
  return (
    <p className="warning">
      This {what} is shown only once. Copy it now, and store it in a safe place.
    </p>
  );
}
