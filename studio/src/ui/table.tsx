import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
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
  const row = (of: T) => (
    <tr key={keyOf(of)}>
      {columns.map((c) => (
        <td key={c.head}>{c.cell(of)}</td>
      ))}
      {menu && <td class="list-menu">{menu(of).length > 0 && <Menu label={t("rowActionsOf", name ? name(of) : keyOf(of))} icon="more" items={menu(of)} />}</td>}
    </tr>
  );
  if (cards)
    return (
      <>
        <ul class="admin-cards" aria-label={label}>
          {rows.map((row) => (
            <li key={keyOf(row)}>{cards(row)}</li>
          ))}
        </ul>
        {fault !== undefined && <ProblemNote problem={fault} retry={again} />}
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
          {list.slices.map((slice, n) => (
            <Slice key={n} rows={slice} row={row} width={columns.length + (menu ? 1 : 0)} />
          ))}
        </table>
      </div>
      {fault !== undefined && <ProblemNote problem={fault} retry={again} />}
      {next && <More key={rows.length} onMore={next} />}
    </>
  );
}

interface SliceProps<T> {
  rows: readonly T[];
  row: (of: T) => ComponentChildren;
  width: number; // columns
}

/** Some rows, of which only the room stays while they are far from what is seen. */
function Slice<T>({ rows, row, width }: SliceProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [room, setRoom] = useState(0); // their height while they are not there
  useEffect(() => {
    const element = body.current!;
    const watch = new IntersectionObserver(([seen]) => setRoom(seen!.isIntersecting ? 0 : element.offsetHeight), { rootMargin: "1500px" });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <tbody ref={body}>
      {room === 0 ? (
        rows.map(row)
      ) : (
        <tr>
          <td colSpan={width} style={{ height: `${room}px` }} />
        </tr>
      )}
    </tbody>
  );
}

/** A button that is pressed by itself when it comes into view. */
function More({ onMore }: { onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(onMore);
  latest.current = onMore;
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((s) => s.isIntersecting)) return;
      watch.disconnect();
      latest.current();
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
