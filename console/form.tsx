import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "./control";

interface FormProps {
  title: string;
  /** Text of the button. */
  action: string;
  /** Sends the values of the fields by name, and returns the text that confirms it. */
  submit: (values: Readonly<Record<string, string>>) => Promise<string>;
  children: ComponentChildren;
}

/** The reason why something was rejected, if it was. */
export const Problem = ({ text }: { text: string }) =>
  text ? (
    <p class="problem" role="alert">
      {text}
    </p>
  ) : null;

/** The reason of the last failure, and a function that runs work and keeps the reason if it fails. */
export function useAttempt(): [problem: string, attempt: (work: () => Promise<unknown>) => Promise<void>] {
  const [problem, setProblem] = useState("");
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      setProblem("");
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return [problem, attempt];
}

/** A form that reports below its button whether it was accepted. */
export function Form({ title, action, submit, children }: FormProps) {
  const [done, setDone] = useState("");
  const [problem, setProblem] = useState("");
  const submitted = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as Record<string, string>;
    try {
      setDone(await submit(values));
      setProblem("");
    } catch (error) {
      setDone("");
      setProblem(messageOf(error));
    }
  };
  return (
    <form aria-label={title} onSubmit={(event) => void submitted(event)}>
      <h2>{title}</h2>
      {children}
      <p class="actions">
        <button type="submit" class="primary">
          {action}
        </button>
        <span role="status">{done}</span>
      </p>
      <Problem text={problem} />
    </form>
  );
}
