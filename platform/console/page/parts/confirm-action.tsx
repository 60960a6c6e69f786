import * as Alert from "@radix-ui/react-alert-dialog";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Action } from "./action-form.js";
import { Button, type ButtonProps } from "./button.js";
import { FailureNote } from "./failure-note.js";
import { useNotify } from "./notices.js";
import { Permitted } from "./permitted.js";

/** Properties of an action that needs a confirmation. */
export interface ConfirmActionProps<Request, Response> {
  /**
   * The button's label. Screen readers use `name` to announce what it acts on.
   */
  readonly label: string;
  readonly name: string;
  readonly look?: ButtonProps["look"];
  readonly title: string;
  readonly children: ReactNode;
  readonly action: Action<Request, Response>;
  readonly request: Request;
  /** The notice to show on success. */
  readonly done: (response: Response) => string;
  readonly onDone?: (response: Response) => void;
}

/** A button that asks for confirmation before it calls a method. */
export function ConfirmAction<Request, Response>({
  label,
  name,
  look = "quiet",
  title,
  children,
  action,
  request,
  done,
  onDone,
}: ConfirmActionProps<Request, Response>) {
  const [isOpen, setOpen] = useState(false);
  const notify = useNotify();
  const { mutate, isPending, error, reset } = useMutation<
    Response,
    Error,
    Request
  >(action);
  const confirm = (): void =>
    mutate(request, {
      onSuccess: (response) => {
        setOpen(false);
        notify(done(response));
        onDone?.(response);
      },
    });
  return (
    <Permitted action={action}>
      <Alert.Root
        open={isOpen}
        onOpenChange={(next) => {
          // The dialog shows the result of a running call.
          if (isPending) return;
          setOpen(next);
          reset();
        }}
      >
        <Alert.Trigger asChild>
          <Button look={look} aria-label={`${label} ${name}`}>
            {label}
          </Button>
        </Alert.Trigger>
        <Alert.Portal>
          <div className="backdrop" />
          <Alert.Content className="dialog" aria-modal>
            <Alert.Title>{title}</Alert.Title>
            <Alert.Description asChild>
              <div className="about">{children}</div>
            </Alert.Description>
            <FailureNote error={error} />
            <div className="choices">
              <Alert.Cancel asChild>
                <Button disabled={isPending}>Cancel</Button>
              </Alert.Cancel>
              <Button look="danger" isBusy={isPending} onClick={confirm}>
                {label}
              </Button>
            </div>
          </Alert.Content>
        </Alert.Portal>
      </Alert.Root>
    </Permitted>
  );
}
