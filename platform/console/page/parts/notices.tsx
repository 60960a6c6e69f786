import * as Toast from "@radix-ui/react-toast";
import {
  createContext,
  useCallback,
  useContext,
  useState,
  type ReactNode,
} from "react";

interface Notice {
  readonly id: number;
  readonly text: string;
}

const NoticeContext = createContext<(text: string) => void>(() => {});

/** Returns a function that shows the user a message for a few seconds. */
export function useNotify(): (text: string) => void {
  return useContext(NoticeContext);
}

/** Shows notices from all components inside. Screen readers read them aloud. */
export function Notices({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const notify = useCallback((text: string) => {
    setNotices((known) => [
      ...known,
      { id: (known.at(-1)?.id ?? 0) + 1, text },
    ]);
  }, []);
  const remove = (id: number): void =>
    setNotices((known) => known.filter((each) => each.id !== id));
  return (
    <NoticeContext value={notify}>
      <Toast.Provider label="Notice" duration={6000} swipeDirection="down">
        {children}
        {notices.map(({ id, text }) => (
          <Toast.Root
            key={id}
            className="notice"
            onOpenChange={(isOpen) => !isOpen && remove(id)}
          >
            <Toast.Description>{text}</Toast.Description>
            <Toast.Close className="button quiet" aria-label="Dismiss">
              ×
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className="notices" label="Notices ({hotkey})" />
      </Toast.Provider>
    </NoticeContext>
  );
}
