import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import type { Schema } from "@ridlkit/runtime/schema";
import { useMutation, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import {
  useForm,
  type DefaultValues,
  type FieldValues,
  type UseFormReturn,
} from "react-hook-form";
import { Button, type ButtonProps } from "./button.js";
import { dialogCalls } from "./dialog.js";
import { FailureNote } from "./failure-note.js";
import { withChecksums } from "../api/typed-addresses.js";
import { useUnsaved } from "./unsaved.js";

/** A console method, in the shape of its generated mutation options. */
export interface Action<Request, Response> {
  /** The service and the method. */
  readonly mutationKey: QueryKey;
  readonly mutationFn: (request: Request) => Promise<Response>;
}

/** Properties of a button that calls a method. */
export interface ActionProps<Request, Response> {
  readonly label: string;
  /** The object of the action, for screen readers. */
  readonly name: string;
  readonly look?: ButtonProps["look"];
  readonly action: Action<Request, Response>;
  readonly request: Request;
  /** The notice to show on success. */
  readonly done: (response: Response) => string;
  readonly onDone?: (response: Response) => void;
}

/** The state and functions of a form. */
export type FormOf<Fields extends FieldValues, Request> = UseFormReturn<
  Fields,
  unknown,
  Request
>;

/** Properties of a form that calls a method. */
export interface ActionFormProps<
  Fields extends FieldValues,
  Request,
  Response,
> {
  /** The generated schema of the request, which validates the fields. */
  readonly schema: Schema<Fields, Request>;
  readonly defaultValues: DefaultValues<Fields>;
  readonly action: Action<Request, Response>;
  readonly onDone: (response: Response, request: Request) => void;
  /** The button's label. */
  readonly label: string;
  /** Whether the form can be left without a question, even if it was changed. */
  readonly isDisposable?: boolean;
  readonly children: (form: FormOf<Fields, Request>) => ReactNode;
}

/** A form whose fields make up a request, with a button that sends it. */
export function ActionForm<Fields extends FieldValues, Request, Response>({
  schema,
  defaultValues,
  action,
  onDone,
  label,
  isDisposable = false,
  children,
}: ActionFormProps<Fields, Request, Response>) {
  const form = useForm<Fields, unknown, Request>({
    resolver: standardSchemaResolver(withChecksums(schema)),
    defaultValues,
  });
  useUnsaved(form.formState.isDirty && !isDisposable);
  const { mutate, isPending, error } = useMutation<Response, Error, Request>({
    ...action,
    mutationKey: dialogCalls,
  });
  const send = form.handleSubmit((request) =>
    mutate(request, { onSuccess: (response) => onDone(response, request) }),
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        // In React's tree, a form in a dialog can be a child of another form.
        event.stopPropagation();
        void send(event);
      }}
    >
      {children(form)}
      <FailureNote error={error} />
      <div className="choices">
        <Button type="submit" look="primary" isBusy={isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}
