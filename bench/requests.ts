/** The headers of requests to an emulator with the default token. */
export const headers = { authorization: "Bearer emulator", "content-type": "application/json" };

export type Body = Record<string, unknown>;

/** Sends a request and returns the response. Throws if the response is an error. */
export async function send(url: string, method: string, path: string, body?: object, more: object = {}): Promise<Body> {
  const init = { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}${path}`, init);
  const json = (await response.json()) as Body;
  if (response.status !== 200) throw new Error(`${method} ${path} returned ${response.status} ${JSON.stringify(json)}`);
  return json;
}

export const control = (url: string, path: string, method: string, body?: object): Promise<Body> =>
  send(new URL("/_emulator", url).href, method, `/${path}`, body);

/** Advances the emulator's clock, so that the emulator removes old events. */
export const advance = (url: string, days: number): Promise<Body> =>
  control(url, "clock", "POST", { seconds: days * 24 * 3600 });
