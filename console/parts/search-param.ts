import { useSearchParams } from "wouter";

/**
 * A part of the address behind the question mark, so that what is shown can be
 * shared. It is absent from the address while it is empty.
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
