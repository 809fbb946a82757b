import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Pixels by which an element is scrolled before its content is drawn again. Less than what is drawn around the screen. */
const STEP = 96;

/** The part of a scrolled element that is on the screen, in pixels. The width is that of its content. */
export interface Viewport {
  top: number;
  height: number;
  width: number;
}

/** The viewport of an element, which changes when the user scrolls or the window is resized. */
export function useViewport(ref: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, height: 0, width: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const stepOf = (): number => Math.floor(element.scrollTop / STEP) * STEP;
    const scrolled = (): void => {
      const top = stepOf();
      setViewport((before) => (before.top === top ? before : { ...before, top }));
    };
    const measure = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const width = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      setViewport({ top: stepOf(), height: element.clientHeight, width });
    };
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", scrolled);
    };
  }, [ref]);
  return viewport;
}

/** Calls the latest `handle` for keys that are pressed inside an element. */
export function useKeys(ref: RefObject<HTMLElement | null>, handle: (event: KeyboardEvent) => void): void {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    const element = ref.current;
    const pressed = (event: KeyboardEvent): void => latest.current(event);
    element?.addEventListener("keydown", pressed);
    return () => element?.removeEventListener("keydown", pressed);
  }, [ref]);
}

/** Pixels per `rem`, so that sizes follow the user's font size. */
export const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
