import { useMutation } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import type { ActionProps } from "./action-form.js";
import { Button } from "./button.js";
import { failureText } from "./failure-note.js";
import { useNotify } from "./notices.js";
import { Permitted } from "./permitted.js";

/** A button that calls a method immediately and shows the result. */
export function ActionButton<Request, Response>({
  label,
  name,
  look = "quiet",
  action,
  request,
  done,
  onDone,
}: ActionProps<Request, Response>) {
  const notify = useNotify();
  const { mutate, isPending } = useMutation<Response, Error, Request>(action);
  const call = ({ detail }: MouseEvent): void => {
    // The row below can move here between the two clicks of a double click.
    if (detail > 1) return;
    mutate(request, {
      onSuccess: (response) => {
        notify(done(response));
        onDone?.(response);
      },
      onError: (error) => notify(failureText(error)),
    });
  };
  return (
    <Permitted action={action}>
      <Button
        look={look}
        aria-label={`${label} ${name}`}
        isBusy={isPending}
        onClick={call}
      >
        {label}
      </Button>
    </Permitted>
  );
}
