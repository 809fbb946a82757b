/** An element of HTML or SVG as data. Texts are not escaped; whoever writes the element escapes them. */
export interface Element {
  tag: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly (Element | string)[];
}

export const element = (
  tag: string,
  attributes: Element["attributes"],
  ...children: readonly (Element | string)[]
): Element => ({ tag, attributes, children });

/** Writes an element as HTML. `escaped` replaces the characters that have a meaning in HTML, also in attributes. */
export function htmlOf(node: Element | string, escaped: (text: string) => string): string {
  if (typeof node === "string") return escaped(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<${node.tag}${attributes.join("")}>${node.children.map((child) => htmlOf(child, escaped)).join("")}</${node.tag}>`;
}
