import { Problem } from "../api/client.ts";

/** A name of a request that may be sent again. */
export const newKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** Names of requests, so that one whose answer was lost is not carried out twice: the same until it is answered. */
export class Keys {
  private readonly keys = new Map<string, string>();

  async use<T>(request: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const what = JSON.stringify(request);
    const before = this.keys.get(what);
    const key = before ?? newKey();
    this.keys.set(what, key);
    try {
      const answer = await send(key);
      this.keys.delete(what);
      return answer;
    } catch (e) {
      // 409 to a second try may say that the first is still being carried out.
      if (e instanceof Problem && !(before && e.status === 409)) this.keys.delete(what);
      throw e;
    }
  }
}
