import type { ButtonHTMLAttributes } from "react";

/** Properties of a button; `look` says how much it stands out. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "primary" | "plain" | "danger" | "quiet";
  /** Whether what it started is still running. It then cannot be pressed. */
  readonly isBusy?: boolean;
}

/** A button that submits no form unless its `type` says so. */
export function Button({
  look = "plain",
  isBusy = false,
  disabled = false,
  ...others
}: ButtonProps) {
  return (
    <button
      type="button"
      className={`button ${look}`}
      aria-busy={isBusy}
      disabled={disabled || isBusy}
      {...others}
    />
  );
}
