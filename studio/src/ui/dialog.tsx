import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../words.ts";
import { Icon } from "./icon.tsx";

interface Props {
  onClose: () => void;
  class?: string;
  label?: string; // where no heading says what it is
  children: ComponentChildren;
  labelledBy?: string;
}

/**
 * A modal dialog that is open while it is mounted. Escape and close() of the element call
 * onClose, which unmounts it. The focus goes back to where it was.
 */
export function Modal({ onClose, class: cls, label, labelledBy, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    element.showModal();
    return () => {
      close.current = () => {}; // the event comes later, when another one may be open
      if (element.open) element.close();
      if (before instanceof HTMLElement && before.isConnected && inPage(document.activeElement)) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog ref={dialog} class={cls} aria-label={label} aria-labelledby={labelledBy} onClose={(e) => e.target === e.currentTarget && close.current()}>
      {children}
    </dialog>
  );
}

/** Nothing else has taken the focus meanwhile. */
const inPage = (focused: Element | null) => !focused || focused === document.body || !focused.isConnected || !!focused.closest("dialog");

/** A modal dialog with a heading and a button that closes it. */
export function Dialog({ title, children, ...rest }: Omit<Props, "label" | "labelledBy"> & { title: string }) {
  const id = useId();
  return (
    <Modal {...rest} labelledBy={id}>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button plain icon-only" aria-label={t("close")} onClick={rest.onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
    </Modal>
  );
}
