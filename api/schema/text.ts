/** A text as a sentence: begins with a capital letter, ends with a period. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** A text as lines of at most `width` columns, broken between words; `columnsOf` measures. */
export function wrapped(text: string, width: number, columnsOf = (part: string): number => part.length): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) as string;
    if (last && columnsOf(last) + columnsOf(word) >= width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
