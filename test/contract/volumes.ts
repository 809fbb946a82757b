import type { Cloud } from "./cloud";

export async function volumes({ send, advance }: Cloud, count: number, body: object = {}): Promise<number[]> {
  const created: number[] = [];
  for (let at = 0; at < count; at++) {
    const response = await send("POST /volumes", { body: { label: `data-${at}`, region: "us-east", ...body } });
    created.push(response.body.id);
  }
  advance(10_000);
  return created;
}
