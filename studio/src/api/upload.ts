import { place, token } from "../session.ts";
import { Problem, SignedOut, Unreachable } from "./client.ts";
import type { Asset, ProblemBody } from "./types.ts";

export interface UploadOptions {
  signal: AbortSignal;
  progress: (share: number) => void; // from 0 to 1
  key: string; // the same for each try, so that one that was heard is not heard twice
  path?: string; // of the operation, else that of assets
  options?: unknown; // a part of the form beside the file
}

export type Upload = (file: File, o: UploadOptions) => Promise<Asset>;

/** Sends a file, to be an asset unless there is another path. Fails as Client.call does. */
export async function upload<T = Asset>(file: File, o: UploadOptions): Promise<T> {
  const given = await token(place);
  let answer = await send(file, given, o);
  if (answer.status === 401) answer = await send(file, await token(place, given), o);
  if (answer.status === 401) throw new SignedOut();
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    // A proxy's page: the server itself always answers with JSON.
    throw new Unreachable(String(answer.status));
  }
  if (answer.status >= 200 && answer.status < 300) return body as T;
  throw new Problem(body as ProblemBody);
}

/** XMLHttpRequest tells how much was sent, which fetch does not. */
function send(file: File, given: string, o: UploadOptions): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    if (o.signal.aborted) return reject(o.signal.reason);
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    o.signal.addEventListener("abort", stop);
    request.onloadend = () => {
      o.signal.removeEventListener("abort", stop);
      if (o.signal.aborted) reject(o.signal.reason);
      else if (request.status === 0) reject(new Unreachable(file.name));
      else resolve({ status: request.status, text: request.responseText });
    };
    request.upload.onprogress = (e) => e.lengthComputable && o.progress(e.loaded / e.total);
    request.open("POST", place.api + (o.path ?? "/assets"));
    request.setRequestHeader("Authorization", `Bearer ${given}`);
    request.setRequestHeader("Idempotency-Key", o.key);
    const form = new FormData();
    if (o.options) form.append("options", new Blob([JSON.stringify(o.options)], { type: "application/json" }));
    form.append("file", file, file.name);
    request.send(form);
  });
}
