import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { Menu, type MenuItem } from "./menu.tsx";
import { ProblemNote } from "./problem.tsx";
import { t } from "../words.ts";
import type { Listed } from "./list.ts";

export interface Column<T> {
  head: string;
  cell: (row: T) => ComponentChildren;
}

interface Props<T> {
  label: string;
  none: string; // what is said where the list is empty
  list: Listed<T>;
  columns: Column<T>[];
  keyOf: (row: T) => string;
  name?: (row: T) => string; // of the menu of a row
  menu?: (row: T) => MenuItem[];
  cards?: (row: T) => ComponentChildren; // in place of columns
}

/** A list as a table. Further rows are read when the end of it comes into view. */
export function Table<T>({ label, none, list, columns, keyOf, name, menu, cards }: Props<T>) {
  const { rows, fault, next, again } = list;
  if (fault !== undefined && !rows) return <ProblemNote problem={fault} retry={again} />;
  if (!rows) return <p class="muted">{t("loading")}</p>;
  if (rows.length === 0) return <p class="muted">{none}</p>;
  if (cards)
    return (
      <>
        <ul class="admin-cards" aria-label={label}>
          {rows.map((row) => (
            <li key={keyOf(row)}>{cards(row)}</li>
          ))}
        </ul>
        {next && <More key={rows.length} onMore={next} />}
      </>
    );
  return (
    <>
      <div class="list-table" role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((c) => (
                <th key={c.head} scope="col">
                  {c.head}
                </th>
              ))}
              {menu && (
                <th scope="col">
                  <span class="visually-hidden">{t("rowActions")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map((c) => (
                  <td key={c.head}>{c.cell(row)}</td>
                ))}
                {menu && (
                  <td class="list-menu">{menu(row).length > 0 && <Menu label={t("rowActionsOf", name ? name(row) : keyOf(row))} icon="more" items={menu(row)} />}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {fault !== undefined && <ProblemNote problem={fault} retry={again} />}
      {next && <More key={rows.length} onMore={next} />}
    </>
  );
}

/** A button that is pressed by itself when it comes into view. */
function More({ onMore }: { onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((s) => s.isIntersecting)) return;
      watch.disconnect();
      onMore();
    });
    watch.observe(button.current!);
    return () => watch.disconnect();
  }, []);
  return (
    <button ref={button} type="button" class="button" onClick={onMore}>
      <Icon name="down" />
      {t("showMore")}
    </button>
  );
}
