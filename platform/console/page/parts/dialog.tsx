import * as Radix from "@radix-ui/react-dialog";
import { useIsMutating } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { mayLeave } from "./unsaved.js";

/** The mutation key of calls whose results a dialog shows. */
export const dialogCalls = ["dialog"];

/** Properties of a dialog. */
export interface DialogProps {
  readonly title: string;
  /** The description. If it is `undefined` or `false`, none is shown. */
  readonly about?: ReactNode;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /**
   * The button that opens the dialog and regains focus when the dialog closes.
   */
  readonly trigger?: ReactNode;
  /**
   * Whether only the dialog's own buttons close it, to avoid losing its
   * content. This is also the case while one of the {@link dialogCalls} is
   * running. If a form has been changed, the dialog asks before it closes.
   */
  readonly isSticky?: boolean;
  readonly children: ReactNode;
}

/**
 * A modal dialog. It has its own backdrop because Radix's adds a style element
 * to the page, which the content security policy forbids.
 */
export function Dialog({
  title,
  about,
  isOpen,
  onOpenChange,
  trigger,
  isSticky = false,
  children,
}: DialogProps) {
  const isDescribed = about !== undefined && about !== false;
  const isCalling = useIsMutating({ mutationKey: dialogCalls }) > 0;
  const isKept = isSticky || isCalling;
  const keepOpen = (event: Event): void => {
    if (isKept) event.preventDefault();
  };
  return (
    <Radix.Root
      open={isOpen}
      onOpenChange={(next) => {
        if (next || mayLeave()) onOpenChange(next);
      }}
    >
      {trigger !== undefined && (
        <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      )}
      <Radix.Portal>
        <div className="backdrop" />
        <Radix.Content
          className="dialog"
          aria-modal
          onEscapeKeyDown={keepOpen}
          onInteractOutside={keepOpen}
          {...(!isDescribed && { "aria-describedby": undefined })}
        >
          <Radix.Title>{title}</Radix.Title>
          {isDescribed && (
            <Radix.Description asChild>
              <div className="about">{about}</div>
            </Radix.Description>
          )}
          {children}
          {!isKept && (
            // This is the last element, so that the first field gets the focus.
            <Radix.Close className="button quiet close" aria-label="Close">
              ×
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
