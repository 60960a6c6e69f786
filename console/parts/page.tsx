import { useEffect, useRef, type ReactNode } from "react";

/** The title that the document has until there is a page. */
const consoleTitle = "Project console";

/** What a page or a part of it has: its title, and what can be done there. */
interface Titled {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its title, what can be done on it, and what it shows. */
export function Page({ title, about, actions, children }: Titled) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const isFirst = document.title === consoleTitle;
    document.title = `${title} · ${consoleTitle}`;
    // Screen readers read the title of the page that a link has led to. After the
    // document was loaded, the first Tab leads to the link that skips the bar.
    if (!isFirst) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      <Head className="page-head" about={about} actions={actions}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </Head>
      {children}
    </>
  );
}

/** A part of a page, with a title of its own. */
export function Section({ title, about, actions, children }: Titled) {
  return (
    <section>
      <Head className="section-head" about={about} actions={actions}>
        <h2>{title}</h2>
      </Head>
      {children}
    </section>
  );
}

function Head({
  className,
  about,
  actions,
  children,
}: Omit<Titled, "title"> & { readonly className: string }) {
  return (
    <div className={className}>
      <div>
        {children}
        {about !== undefined && <p className="about">{about}</p>}
      </div>
      {actions !== undefined && <div className="page-actions">{actions}</div>}
    </div>
  );
}
