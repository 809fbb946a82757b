import type { Cloud } from "./cloud";

export async function volumes({ send, advance }: Cloud, count: number, body: object = {}): Promise<number[]> {
  const made: number[] = [];
  for (let at = 0; at < count; at++) {
    const answer = await send("POST /volumes", { body: { label: `data-${at}`, region: "us-east", ...body } });
    made.push(answer.body.id);
  }
  advance(10_000);
  return made;
}
