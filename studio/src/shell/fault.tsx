import { signal } from "@preact/signals";
import { Component, type ComponentChildren } from "preact";
import { SignedOut } from "../api/client.ts";
import { t } from "../words.ts";

/** Shows in place of a screen that has failed what happened to it, until another is gone to. */
export class FaultBoundary extends Component<{ at: string; children: ComponentChildren }, { fault: Error | null }> {
  override state = { fault: null };

  static override getDerivedStateFromError(fault: Error) {
    return { fault };
  }

  override componentDidCatch(fault: Error) {
    console.error(fault);
  }

  override componentDidUpdate(before: { at: string }) {
    if (before.at !== this.props.at && this.state.fault) this.setState({ fault: null });
  }

  override render() {
    const fault = this.state.fault as Error | null;
    if (!fault) return this.props.children;
    return (
      <div class="page-width" role="alert">
        <h1>{t("faultTitle")}</h1>
        <p>{t("faultWhat")}</p>
        <p>
          <button type="button" class="button primary" onClick={() => location.reload()}>
            {t("reload")}
          </button>
        </p>
        <details>
          <summary>{t("whatExactly")}</summary>
          <pre class="fault-text">{fault.stack ?? String(fault)}</pre>
        </details>
      </div>
    );
  }
}

/** What failed outside of any screen, such as a part of the program that could not be loaded. */
const failed = signal("");

export function followFaults(): () => void {
  const onReject = (e: PromiseRejectionEvent) => {
    if (e.reason instanceof SignedOut || (e.reason as { name?: string } | null)?.name === "AbortError") return;
    failed.value = e.reason instanceof Error ? e.reason.message : String(e.reason);
  };
  addEventListener("unhandledrejection", onReject);
  return () => removeEventListener("unhandledrejection", onReject);
}

export function FaultBar() {
  if (!failed.value) return null;
  return (
    <div class="bar danger" role="alert">
      <span>{t("faultBar", failed.value)}</span>
      <span>{t("keptHere")}</span>
      <button type="button" class="button" onClick={() => location.reload()}>
        {t("reload")}
      </button>
      <button type="button" class="button plain" onClick={() => (failed.value = "")}>
        {t("dismiss")}
      </button>
    </div>
  );
}
