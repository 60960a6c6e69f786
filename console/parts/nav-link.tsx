import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";

/** A link of a navigation, which says whether its page is shown. */
export function NavLink({
  href,
  and = href,
  children,
}: {
  readonly href: string;
  /** Pages below this address count as its own, too. */
  readonly and?: string;
  readonly children: ReactNode;
}) {
  const [location] = useLocation();
  const isBelow = and !== "/" && `${location}/`.startsWith(`${and}/`);
  const isCurrent = location === href || isBelow;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // On narrow screens the links stand in a row that scrolls.
    if (isCurrent) link.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <Link ref={link} href={href} aria-current={isCurrent ? "page" : undefined}>
      {children}
    </Link>
  );
}
