import { useRef, useState } from "preact/hooks";
import { upload } from "../api/upload.ts";
import { newKey } from "../ui/key.ts";
import { useGuard } from "../ui/guard.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { say } from "./say.ts";

interface Item {
  key: string;
  file: File;
  share: number;
  state: "waiting" | "sending" | "sent" | "failed";
  fault?: unknown;
}

export interface Uploads {
  items: readonly Item[];
  add: (files: readonly File[]) => void;
  retry: (key: string) => void;
  clear: () => void;
}

/** Sends files one after the other. onSent is called when none is left. */
export function useUploads(onSent: () => void): Uploads {
  const items = useRef<Item[]>([]);
  const running = useRef(false);
  const [, draw] = useState(0);
  const set = (key: string, change: Partial<Item>) => {
    items.current = items.current.map((i) => (i.key === key ? { ...i, ...change } : i));
    draw((n) => n + 1);
  };
  useGuard(items.current.some((i) => i.state === "waiting" || i.state === "sending"));
  const run = async () => {
    if (running.current) return;
    running.current = true;
    for (let item; (item = items.current.find((i) => i.state === "waiting")); ) {
      const { key, file } = item;
      set(key, { state: "sending", share: 0, fault: undefined });
      try {
        await upload(file, { signal: new AbortController().signal, progress: (share) => set(key, { share }), key });
        set(key, { state: "sent" });
      } catch (fault) {
        set(key, { state: "failed", fault });
      }
    }
    running.current = false;
    onSent();
  };
  return {
    items: items.current,
    add: (files) => {
      items.current = [...items.current.filter((i) => i.state !== "sent"), ...files.map((file): Item => ({ key: newKey(), file, share: 0, state: "waiting" }))];
      draw((n) => n + 1);
      void run();
    },
    retry: (key) => {
      set(key, { state: "waiting" });
      void run();
    },
    clear: () => {
      items.current = items.current.filter((i) => i.state === "waiting" || i.state === "sending");
      draw((n) => n + 1);
    },
  };
}

/** What is being sent, and what was not. */
export function Sending({ of }: { of: Uploads }) {
  if (of.items.length === 0) return null;
  const sent = of.items.filter((i) => i.state === "sent").length;
  return (
    <section class="notice" aria-label={say("uploads")}>
      <p role="status">{say("sentOf", sent, of.items.length)}</p>
      <ul class="admin-uploads">
        {of.items
          .filter((i) => i.state !== "sent")
          .map((i) => (
            <li key={i.key}>
              <bdi>{i.file.name}</bdi>
              {i.state === "sending" && <progress max={1} value={i.share} aria-label={say("uploadOf", i.file.name)} />}
              {i.state === "failed" && <ProblemNote problem={i.fault} retry={() => of.retry(i.key)} />}
            </li>
          ))}
      </ul>
      <button type="button" class="button plain" onClick={of.clear}>
        {t("dismiss")}
      </button>
    </section>
  );
}
