const en = {
  previewUnreachable: "The server cannot be reached. This preview is of an earlier text.",
  previewSignedOut: "You are signed out. This preview is of an earlier text.",
  previewTooLong: "This text is too long for a preview.",
  previewBusy: "Too many requests. The preview follows in a moment.",
  previewOnDemand: "A text of this length is shown when you ask for it.",
  previewNow: "Update preview",
  scrollTogether: "Scroll together",
  previewLive: "Live",
  previewDraft: "Draft",
  previewNeverLive: "Readers do not see this page yet.",
  brokenLink: "This link leads nowhere: {0}",
  noticesOne: "1 notice",
  notices: "{0} notices",
  atLine: "Line {0}",
};

const de: typeof en = {
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

export const preview = { en, de };
