import { useSearchParams } from "wouter";

/**
 * A query parameter of the address, so that users can share the current view.
 * If the parameter is empty, the address omits it.
 */
export function useSearchParam(
  name: string,
): readonly [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const setValue = (value: string): void =>
    setParams(
      (known) => {
        if (value === "") known.delete(name);
        else known.set(name, value);
        return known;
      },
      { replace: true },
    );
  return [params.get(name) ?? "", setValue];
}
