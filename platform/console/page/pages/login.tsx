import { useQueryClient } from "@tanstack/react-query";
import { signInRequestSchema } from "../../generated/schemas.js";
import type { SignInResponse } from "../../generated/types.js";
import { ActionForm } from "../parts/action-form.js";
import { Dialog } from "../parts/dialog.js";
import { Page } from "../parts/page.js";
import { TextField } from "../parts/text-field.js";
import { ThemeChoice } from "../parts/theme-choice.js";
import { operators } from "../api/console-api.js";

/** The page where an operator signs in. */
export function Login({ hasExpired }: { readonly hasExpired: boolean }) {
  const queryClient = useQueryClient();
  return (
    <main className="login">
      <Page
        title="Sign in"
        about="The project console is for operators of this platform."
      >
        {hasExpired && (
          <p className="warning" role="status">
            Your session has ended. Sign in again.
          </p>
        )}
        <SignInForm onDone={() => void queryClient.resetQueries()} />
      </Page>
      <ThemeChoice />
    </main>
  );
}

/**
 * A dialog in which an operator signs in again after the session has ended. The
 * page below keeps what the operator typed, unless another one signs in.
 */
export function LoginDialog({ operator }: { readonly operator: string }) {
  const queryClient = useQueryClient();
  return (
    <Dialog
      isOpen
      isSticky
      title="Sign in again"
      about="Your session has ended. What you entered is still there."
      onOpenChange={() => undefined}
    >
      <SignInForm
        operator={operator}
        onDone={({ session }) =>
          void (session.operator === operator
            ? queryClient.invalidateQueries()
            : queryClient.resetQueries())
        }
      />
    </Dialog>
  );
}

function SignInForm({
  operator = "",
  onDone,
}: {
  readonly operator?: string;
  readonly onDone: (response: SignInResponse) => void;
}) {
  return (
    <ActionForm
      isDisposable
      schema={signInRequestSchema}
      defaultValues={{ operator, password: "" }}
      action={operators.signIn.mutationOptions()}
      onDone={onDone}
      label="Sign in"
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="operator"
            label="Name"
            autoComplete="username"
            autoFocus={operator === ""}
          />
          <TextField
            form={form}
            name="password"
            label="Password"
            hint="The password of the operator named owner is in OPERATOR_TOKEN, or else in the file operator-token in the data folder."
            type="password"
            autoComplete="current-password"
            autoFocus={operator !== ""}
          />
        </>
      )}
    </ActionForm>
  );
}
