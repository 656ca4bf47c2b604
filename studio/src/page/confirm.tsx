import { Dialog } from "../ui/dialog.tsx";
import { t, type Word } from "../words.ts";

/** Asks once more before something is thrown away. */
export function Confirm({ word, text, onYes, onCancel }: { word: Word; text: string; onYes: () => void; onCancel: () => void }) {
  return (
    <Dialog title={t(word)} onClose={onCancel}>
      <p>{text}</p>
      <div class="dialog-foot">
        <button class="button" onClick={onCancel}>
          {t("cancel")}
        </button>
        <button class="button danger" onClick={onYes}>
          {t(word)}
        </button>
      </div>
    </Dialog>
  );
}
