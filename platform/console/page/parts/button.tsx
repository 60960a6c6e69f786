import type { ButtonHTMLAttributes } from "react";

/** Properties of a button. `look` determines how prominent it is. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "primary" | "plain" | "danger" | "quiet";
  /**
   * Whether the button's action is still running. If so, the button is
   * disabled.
   */
  readonly isBusy?: boolean;
}

/** A button that only submits a form if its `type` is `submit`. */
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
