import { useQueryClient } from "@tanstack/react-query";
import { signInRequestSchema } from "../../platform/console/generated/schemas.js";
import { ActionForm } from "../parts/action-form.js";
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
        <ActionForm
          schema={signInRequestSchema}
          defaultValues={{ operator: "", password: "" }}
          action={operators.signIn.mutationOptions()}
          onDone={() => void queryClient.resetQueries()}
          label="Sign in"
        >
          {(form) => (
            <>
              <TextField
                form={form}
                name="operator"
                label="Name"
                autoComplete="username"
                autoFocus
              />
              <TextField
                form={form}
                name="password"
                label="Password"
                type="password"
                autoComplete="current-password"
              />
            </>
          )}
        </ActionForm>
      </Page>
      <ThemeChoice />
    </main>
  );
}
