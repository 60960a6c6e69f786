import * as Alert from "@radix-ui/react-alert-dialog";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { ActionProps } from "./action-form.js";
import { Button } from "./button.js";
import { FailureNote } from "./failure-note.js";
import { useNotify } from "./notices.js";
import { Permitted } from "./permitted.js";

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
}: ActionProps<Request, Response> & {
  readonly title: string;
  readonly children: ReactNode;
}) {
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
