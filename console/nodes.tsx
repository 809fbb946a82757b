import { h, type VNode } from "preact";
import { useState } from "preact/hooks";
import type { Element } from "../drawing";

/** An element of the shared drawing as a node of this page. Texts stay texts. */
export const nodeOf = (node: Element | string): VNode | string =>
  typeof node === "string" ? node : h(node.tag, { ...node.attributes }, ...node.children.map(nodeOf));

/** Line icons of this page, in the style of the icons of objects. */
const paths = {
  search: "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20 20",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  done: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1",
  moon: "M19.5 14.5A8 8 0 019.5 4.5a8 8 0 1010 10z",
  auto: "M12 4a8 8 0 100 16 8 8 0 000-16zM12 4v16M12 8l5-2M12 13l8-3M12 18l7-3",
  picture: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  requests: "M4 7h13M13 3l4 4-4 4M20 17H7M11 13l-4 4 4 4",
  faults: "M13 3L5 14h6l-1 7 8-11h-6z",
  data: "M12 4a8 8 0 100 16 8 8 0 000-16zM12 7.5V12l3 2",
  access: "M8 12a4 4 0 100 8 4 4 0 000-8zM11 13l9-9M16 8l3 3",
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

/** A button that copies a text, and shows whether that worked. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<"done" | "close">();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setResult("done");
      setTimeout(() => setResult(undefined), 1500);
    } catch {
      setResult("close");
    }
  };
  const denied = "The browser does not allow copying. Select the text instead.";
  return (
    <button
      type="button"
      class="tool"
      aria-label={result === "done" ? "Copied" : result ? denied : label}
      title={result === "close" ? denied : label}
      onClick={() => void copy()}
    >
      <Icon name={result ?? "copy"} />
    </button>
  );
}
