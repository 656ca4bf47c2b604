import type { en } from "../preview.ts";

export const de: typeof en = {
  previewUnreachable: "Der Server ist nicht erreichbar. Diese Vorschau zeigt einen früheren Text.",
  previewSignedOut: "Du bist abgemeldet. Diese Vorschau zeigt einen früheren Text.",
  previewTooLong: "Dieser Text ist zu lang für eine Vorschau.",
  previewBusy: "Zu viele Anfragen. Die Vorschau folgt gleich.",
  previewOnDemand: "Ein so langer Text wird gezeigt, wenn du es verlangst.",
  previewNow: "Vorschau aktualisieren",
  scrollTogether: "Gemeinsam scrollen",
  previewLive: "Live",
  previewDraft: "Entwurf",
  previewNeverLive: "Diese Seite sehen Leser noch nicht.",
  brokenLink: "Dieser Link führt nirgendwohin: {0}",
  noticesOne: "1 Hinweis",
  notices: "{0} Hinweise",
  atLine: "Zeile {0}",
};
